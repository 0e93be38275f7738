import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    authoring: 'src/authoring.ts',
    'text/dn': 'src/text/dn.ts',
    'oath/index': 'src/oath/index.ts',
    'start/open': 'src/start/open.ts',
    'describe/reference': 'src/describe/reference.ts',
    'adapters/ldap/index': 'src/adapters/ldap/index.ts',
    'adapters/embedded/index': 'src/adapters/embedded/index.ts',
    'adapters/pki/index': 'src/adapters/pki/index.ts',
    'adapters/postgres/index': 'src/adapters/postgres/index.ts',
    'adapters/prometheus/index': 'src/adapters/prometheus/index.ts',
    'adapters/smtp/index': 'src/adapters/smtp/index.ts',
    'adapters/gateway/index': 'src/adapters/gateway/index.ts',
    'adapters/system/index': 'src/adapters/system/index.ts',
    'adapters/http/index': 'src/adapters/http/index.ts',
    'start/index': 'src/start/index.ts',
    'start/launch': 'src/start/launch.ts',
    'testing/index': 'src/testing/index.ts',
    'large-changes-program': 'src/adapters/embedded/large-changes/large-changes-program.ts',
  },
  format: 'esm',
  target: 'node20',
  dts: true,
  clean: true,
});
