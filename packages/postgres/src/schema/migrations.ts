/** Migrations of the schema, in order. A released migration is never changed. */
import { chains } from './chains.ts';
import { eventAge } from './event-age.ts';
import { events } from './events.ts';
import { state } from './state.ts';
import { step } from './step.ts';
import { stepsTogether } from './steps-together.ts';

export interface Migration {
  readonly name: string;
  /** Statements; all missing migrations are one transaction. */
  readonly sql: string;
}

/** The first is number 1. */
export const migrations: readonly Migration[] = [
  { name: 'values and claims, events, steps', sql: state + chains + events + step },
  { name: 'several steps in one round trip', sql: stepsTogether },
  { name: 'age of events by the clock of the database', sql: eventAge },
];

/** The schema that this version works with. */
export const schemaVersion = migrations.length;

/** The table of the migrations that were made. */
export const foundation = `
CREATE SCHEMA watchword;
CREATE TABLE watchword.migrations (
  number integer PRIMARY KEY,
  name text NOT NULL,
  made timestamptz NOT NULL DEFAULT now()
);
`;

/** Returns the grants of the servers' role: it reads and writes, and cannot change the schema. */
export const rightsOf = (role: string): string => `
GRANT USAGE ON SCHEMA watchword TO ${role};
GRANT SELECT ON watchword.migrations TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA watchword TO ${role};
REVOKE INSERT, UPDATE, DELETE ON watchword.migrations FROM ${role};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA watchword TO ${role};
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA watchword FROM PUBLIC;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA watchword TO ${role};
`;
