import { describeConnections } from './postgres/connections.ts';
import { describeEncryption } from './postgres/encryption.ts';
import { describeInterruptions } from './postgres/interruptions.ts';
import { describeReadOnly } from './postgres/read-only.ts';
import { RealServer } from './postgres/server.ts';
import { describeSessions } from './postgres/sessions.ts';

const isGiven = (process.env['TOOLKIT_TEST_POSTGRES_URL'] ?? '') !== '';

describe('a real PostgreSQL', () => {
  let server: RealServer;
  const given = (): RealServer => server;

  before(async () => {
    server = await RealServer.start();
    const [version] = await server.rows('SELECT version()');
    process.stdout.write(`    ${version?.['version']}\n`);
  });
  afterEach(() => server.undo());
  after(() => server?.stop());

  describeReadOnly(given);
  describeSessions(given);
  describeInterruptions(given);
  describeConnections(given);
  // Its certificates and settings are those of a server that was started for it.
  if (!isGiven) describeEncryption(given);
  else
    process.stdout.write('    Encryption is not tested on the server of TOOLKIT_TEST_POSTGRES_URL. Unset it to have a server started.\n');
});
