/** Who may park here: administrators keep the plates of cars, and the barrier asks whom it may let in. */
import { bundled, isReason } from '@watchword/core';
import {
  application,
  dn,
  flagSetting,
  integerField,
  method,
  type OperationCall,
  operation,
  read,
  readNamedProfile,
  readProfile,
  recordEvent,
  settingsOf,
  stringOrFalse,
  success,
  swapData,
  text,
  textField,
  type View,
} from '@watchword/core/application';

const settings = settingsOf('Parking', {
  EnableParking: flagSetting('The barrier opens for this user.', 'Yes'),
});

/** Kept with the user, encrypted: `publicData` does not list it. */
const plateKey = 'Parking.Plate';

const methods = {
  Set_Plate: method({
    summary: 'Sets the number plate of the car that a user parks.',
    on: 'dn',
    params: { dn: dn(), plate: text() },
    example: { dn: 'uid=alice,dc=example,dc=org', plate: 'LU 4711' },
    result: success(),
    permission: 'write',
    run: async ({ dn, plate }, call) =>
      swapData(await readProfile(dn, call), () => new Map([[plateKey, Buffer.from(plate)]]), call),
  }),
  Get_Plate: method({
    summary: 'Reads the number plate of the car that a user parks; false if there is none.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: 'uid=alice,dc=example,dc=org' },
    result: stringOrFalse(),
    permission: 'read',
    run: async ({ dn }, call: View) => {
      const plate = (await readProfile(dn, call)).data.get(plateKey);
      return plate ? Buffer.from(plate).toString() : false;
    },
  }),
};

const operations = {
  parkingAdmit: operation({
    summary: 'Says whether the barrier may open for a user: 1, or 0 and why not.',
    request: { username: textField, domain: textField },
    response: { code: integerField, error: textField },
    example: { username: 'alice' },
    run: async ({ username = '', domain }, call) => {
      const { dn, data, settings: inForce } = await readNamedProfile({ username, domain }, call);
      const isOn = read(inForce, settings.EnableParking);
      const answer = isOn && data.get(plateKey) ? admitted : { code: 0, error: 'NotAdmitted' };
      await note(dn.format(), answer, call);
      return answer;
    },
    refuse: (error) => ({ code: 0, error: isReason(error, 'not_found') ? 'NotAdmitted' : 'ServerError' }),
  }),
};

const admitted = { code: 1, error: '' };

/** Methods are in the audit by themselves; an operation says what is worth it. */
const note = (user: string, { code, error }: typeof admitted, call: OperationCall) => {
  const outcome = code === 1 ? 'granted' : 'refused';
  const facts = { user, operation: 'admit', outcome, reason: error };
  return recordEvent(
    { application: call.names.theirs('Parking'), text: `${user}: ${outcome}`, facts },
    call.transaction,
    call,
  );
};

const parking = application({
  name: 'Parking',
  service: 'parking',
  publicData: [],
  settings,
  methods,
  operations,
});

/** What `createService`, `readConfig` and the client's types go by. */
export const applications = { ...bundled, Parking: parking };
