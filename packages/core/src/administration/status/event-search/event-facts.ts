/** The fields of an event that callers of the search see. */
import { meaningOf, meaningSchema } from '../../../events/meaning.ts';
import { formatTimestamp } from '../../../foundation/text/timestamp.ts';
import type { AuditEvent } from '../../../ports/event-log/event-log.ts';

const plainText = { type: 'string' };

const eventSchema = {
  type: 'object',
  properties: {
    time: { ...plainText, description: '`YYYY-MM-DD HH:MM:SS` in UTC.' },
    application: {
      ...plainText,
      description: '`Manager`, or an application in the words of the installation.',
    },
    session: { ...plainText, description: '8 characters `[0-9A-Z]`, the same in the log.' },
    client: { ...plainText, description: '`ip:port` of the caller; `-` in process.' },
    source: { ...plainText, description: 'IP address of the end user, where it was told.' },
    host: { ...plainText, description: 'The node.' },
    dn: plainText,
    text: plainText,
    count: { type: 'integer', description: 'How often it was refused, where that was more than once.' },
    last: {
      ...plainText,
      description: 'When it was refused last, in the form of `time`, where `count` is.',
    },
  },
};

/** An event as Get_Event_Logs answers it: servers in the field have no more than the first seven fields. */
export interface EventLogLine extends ContractEvent, Partial<Omit<EventWithMeaning, keyof ContractEvent>> {}

type ContractEvent = ReturnType<typeof contractEvent>;
type EventWithMeaning = ReturnType<typeof eventWithMeaning>;

export const eventFacts = (event: AuditEvent) => {
  const { time, application, session, client, source = '', host = '', dn = '', text, count, last } = event;
  return {
    ...{ time: formatTimestamp(time), application, session, client, source, host, dn, text },
    ...(last !== undefined && { count, last: formatTimestamp(last) }),
  };
};

export const eventWithMeaningSchema = {
  ...eventSchema,
  properties: { ...eventSchema.properties, meaning: meaningSchema },
};

/** An event with what it means. */
export const eventWithMeaning = (event: AuditEvent) => ({
  ...eventFacts(event),
  meaning: meaningOf(event.text),
});

/** An event with the fields of the interface in the field alone. */
export const contractEvent = (event: AuditEvent) => {
  const { client, dn, host, session, source, text, time } = eventFacts(event);
  return { client, dn, host, session, source, text, time };
};

export const eventLogSchema = {
  ...eventWithMeaningSchema,
  required: ['client', 'dn', 'host', 'session', 'source', 'text', 'time'],
};
