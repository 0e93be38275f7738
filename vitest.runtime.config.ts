import { laneOf } from './vitest.projects.ts';

/**
 * The tests that meet the runtime, which `npm run test:runtime` runs on another Node: sockets, TLS, streams, native
 * engines, processes, packages. What only judges and computes is the same on every Node, and so is what many processes
 * make of one database; of several files that meet the same of the runtime, the short ones are here.
 */
/** What is packed, talked to through every door, and the engines with binaries and sockets. */
const brief = [
  'packages/client/src/node.test.ts',
  'packages/embedded/src/{crash,directory}.test.ts',
  'packages/embedded/src/{passwords,password-schemes}/**/*.test.ts',
  'packages/node/src/http/{serve,connections}.test.ts',
  'packages/node/src/http/direct/*.test.ts',
  'packages/ldap/src/openldap.test.ts',
  'packages/node/src/machine/*.test.ts',
  'packages/server-ws/src/main.test.ts',
];

const whole = [
  'packages/{client,quickstart,server-manager,server-ws}/**/*.test.ts',
  'packages/core/src/{doors/health,foundation}/*.test.ts',
  'packages/{node,pki}/src/**/*.test.ts',
  'packages/ldap/src/{faults,openldap,searches}.test.ts',
  'packages/embedded/src/{passwords,password-schemes,records,storage}/**/*.test.ts',
  'packages/embedded/src/*.test.ts',
  'packages/core/src/administration/pki/**/*.test.ts',
  'packages/{cli,engines}/src/*.test.ts',
  'packages/{cli,engines}/src/{config-file,secrets}/**/*.test.ts',
  'packages/core/src/doors/operator/**/*.test.ts',
  'packages/cli/src/commands/{backup,init,ldif}.test.ts',
  'packages/core/src/doors/web/*.test.ts',
  'test/{deploy,hardening,installed,manager-pki,overload,reverse-proxy,start}/**/*.test.ts',
  'test/web-clients/other-origins.test.ts',
  'examples/{administer-openldap,embed-express,own-application,own-directory,rest-and-soap-login}/*.test.ts',
];

export default laneOf(process.env.TEST_BRIEF ? 'brief' : 'runtime', {
  include: process.env.TEST_BRIEF ? brief : whole,
  exclude: [
    '**/node_modules/**',
    '**/*.ad.test.ts',
    // What compilers make of our sources, and what was packed.
    'packages/client/src/{documented,published}.test.ts',
    'test/installed/{tarballs,types}.test.ts',
    // Every operation, and every way to install; the conversations go through every door.
    'test/installed/{every-call,login}.test.ts',
    'test/start/build.test.ts',
    // Sentences for what is wrong in files, or missing.
    'packages/quickstart/test/refused-starts.test.ts',
    'test/installed/missing.test.ts',
    // What processes of one folder make of each other, and what only computes.
    'packages/embedded/src/storage/open-barrier/open-barrier.test.ts',
    'packages/embedded/src/search-scopes.test.ts',
    // Every page of a file, damaged.
    'packages/embedded/src/storage/database-file.test.ts',
  ],
  typecheck: { enabled: false },
});
