/** The web services in a process of their own, for `test/overload`; sends its parent its port. */
import { serve, webHandler } from '../../../../../node/src/http/index.ts';
import { withHealth } from '../../../doors/health/health.ts';
import { openFixture } from '../fixture.ts';

const fixture = await openFixture({
  config: { limits: { login_failure_delay_ms: 0, user_failures: 1_000_000 } },
});
const { web } = fixture.service;
const handler = withHealth(
  fixture.service,
  webHandler((request) => web.answer(request)),
);
const { port } = await serve(handler, { host: '127.0.0.1', port: 0 });
process.send?.({ port });
process.once('disconnect', () => process.exit());
