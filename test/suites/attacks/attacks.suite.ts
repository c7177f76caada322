import { expect } from 'chai';
import type { Attack, AttackKind, Mode, Transport } from './attack.ts';
import { type AttackServer, sharedServer } from './attack-server.ts';
import { approvedThings } from './kinds/approved-things.ts';
import { bombsKind } from './kinds/bombs.ts';
import { credentialFiles } from './kinds/credential-files.ts';
import { credentialNames } from './kinds/credential-names.ts';
import { gitObjects } from './kinds/git-objects.ts';
import { mainThread } from './kinds/main-thread.ts';
import { masking } from './kinds/masking.ts';
import { oracle } from './kinds/oracle.ts';
import { programOptions } from './kinds/program-options.ts';
import { fromOutside } from './kinds/sources.ts';
import { strangers } from './kinds/strangers.ts';
import { whatRuns } from './kinds/what-runs.ts';

/** Every kind of attack that once succeeded. */
const kinds: readonly AttackKind[] = [
  approvedThings,
  bombsKind,
  credentialFiles,
  credentialNames,
  gitObjects,
  mainThread,
  masking,
  oracle,
  programOptions,
  fromOutside,
  strangers,
  whatRuns,
];

/** Every kind of attack that once succeeded. */

/** Every kind of attack that once succeeded. */

/** Every kind of attack that once succeeded. */

/** Every kind of attack that once succeeded. */

const modes: readonly Mode[] = ['flag', 'elicit', 'strict'];

const transports: readonly Transport[] = ['stdio', 'HTTP'];

const files = Object.assign({}, ...kinds.map((kind) => kind.files ?? {})) as Record<string, string>;
const env = Object.assign({}, ...kinds.map((kind) => kind.env ?? {})) as Record<string, string>;

const title = ({ id, subject, attempt }: Attack): string => `${subject}: ${attempt}${id === undefined ? '' : ` (${id})`}`;

describe('attacks that once succeeded', () => {
  for (const kind of kinds)
    it(`are twelve at least, each on something else: ${kind.rule}`, () => {
      expect(kind.attacks.length).to.be.at.least(12);
      expect(new Set(kind.attacks.map(({ subject }) => subject)).size).to.equal(kind.attacks.length);
    });

  for (const mode of modes)
    for (const transport of transports)
      describe(`fail in mode ${mode} over ${transport}`, () => {
        let server: AttackServer;

        before(async () => {
          server = await sharedServer(files, { mode, transport, env });
        });

        for (const kind of kinds)
          describe(kind.rule, () => {
            for (const attack of kind.attacks)
              if ((attack.modes ?? modes).includes(mode) && (attack.transports ?? transports).includes(transport))
                it(title(attack), () => attack.run(server));
          });
      });
});
