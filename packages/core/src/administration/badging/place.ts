/** Locations that phones report, and the circles (centre and radius) with which they are compared. */

/** WGS 84, in degrees. */
export interface Location {
  readonly latitude: number;
  readonly longitude: number;
}

interface Circle extends Location {
  /** The radius in metres. */
  readonly radius: number;
}

interface Office extends Circle {
  readonly name: string;
}

const decimal = String.raw`-?[0-9]{1,3}(?:\.[0-9]{1,9})?`;
const location = new RegExp(`^(${decimal}),\\s*(${decimal})$`);
const circle = new RegExp(`^(${decimal}),\\s*(${decimal}),\\s*([0-9]{1,7})$`);

/** `<latitude>,<longitude>`, RFC 5870 §3.3 without altitude; undefined: it is none. */
export function readLocation(text: string): Location | undefined {
  const [, latitude, longitude] = location.exec(text.trim()) ?? [];
  return onEarth({ latitude: Number(latitude), longitude: Number(longitude) });
}

export const writeLocation = ({ latitude, longitude }: Location): string => `${latitude},${longitude}`;

const onEarth = <L extends Location>(place: L): L | undefined =>
  Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180 ? place : undefined;

function readCircle(text: string): Circle | undefined {
  const [, latitude, longitude, radius] = circle.exec(text.trim()) ?? [];
  return onEarth({ latitude: Number(latitude), longitude: Number(longitude), radius: Number(radius) });
}

function readOffice(text: string): Office | undefined {
  const [, name = '', rest = ''] = /^([^=]*)=(.*)$/.exec(text.trim()) ?? [];
  const found = readCircle(rest);
  return found && name.trim() !== '' ? { ...found, name: name.trim() } : undefined;
}

const partsOf = (text: string): readonly string[] => text.split(';').filter((one) => one.trim() !== '');

/** Each a phrase; undefined: nothing is wrong. */
export const wrongAreas = (text: string): string | undefined =>
  partsOf(text).length > 0 && partsOf(text).every(readCircle)
    ? undefined
    : 'is not <latitude>,<longitude>,<metres>, with semicolons between several';

export const wrongOffices = (text: string): string | undefined =>
  partsOf(text).length > 0 && partsOf(text).every(readOffice)
    ? undefined
    : 'is not <name>=<latitude>,<longitude>,<metres>, with semicolons between several';

/** A text that is none, which somebody wrote on an entry, has nobody in it. @param areas undefined: everywhere is within */
export function isWithin(place: Location | undefined, areas: string | undefined): boolean {
  if (areas === undefined) return true;
  return place !== undefined && partsOf(areas).some((one) => holds(readCircle(one), place));
}

/** The name of the first office that it is in; empty: of none. */
export function officeOf(place: Location | undefined, offices = ''): string {
  const all = partsOf(offices).flatMap((one) => readOffice(one) ?? []);
  return (place && all.find((one) => holds(one, place))?.name) ?? '';
}

const holds = (area: Circle | undefined, place: Location): boolean =>
  area !== undefined && distance(area, place) <= area.radius;

/** Returns the distance in metres, on a sphere: half a percent off at most. */
export function distance(one: Location, other: Location): number {
  const [from, to] = [radians(one.latitude), radians(other.latitude)];
  const [up, along] = [to - from, radians(other.longitude - one.longitude)];
  const half = Math.sin(up / 2) ** 2 + Math.cos(from) * Math.cos(to) * Math.sin(along / 2) ** 2;
  return 2 * earth * Math.asin(Math.min(1, Math.sqrt(half)));
}

const earth = 6_371_000;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;
