import { expect } from 'chai';
import { type Attack, defencesOf, kindTitles } from './console-attacks/attack.ts';
import { bruteForce } from './console-attacks/kinds/brute-force.ts';
import { crossOriginRequests } from './console-attacks/kinds/cross-origin-requests.ts';
import { csrf } from './console-attacks/kinds/csrf.ts';
import { fixation } from './console-attacks/kinds/fixation.ts';
import { framing } from './console-attacks/kinds/framing.ts';
import { hosts } from './console-attacks/kinds/hosts.ts';
import { openid } from './console-attacks/kinds/openid.ts';
import { paths } from './console-attacks/kinds/paths.ts';
import { replay } from './console-attacks/kinds/replay.ts';
import { Builder } from './console-attacks/mutant.ts';
import { Target } from './console-attacks/target.ts';

/** The table of all attacks. */
const attacks: readonly Attack[] = [
  ...csrf,
  ...fixation,
  ...replay,
  ...framing,
  ...paths,
  ...bruteForce,
  ...crossOriginRequests,
  ...hosts,
  ...openid,
];

/** Attacks that succeed without the same defences, by the names of these. */
const byDefence = new Map<string, readonly Attack[]>();
for (const attack of attacks) {
  const names = defencesOf(attack)
    .map(({ name }) => name)
    .join(' and ');
  byDefence.set(names, [...(byDefence.get(names) ?? []), attack]);
}

describe('attacks on the console', () => {
  const builder = new Builder();
  after(() => builder.close());

  describe('are refused', () => {
    let target: Target;
    before(async () => {
      target = await Target.start(await builder.build([]));
    });
    after(() => target?.stop());
    for (const attack of attacks)
      it(`${kindTitles[attack.kind]}: ${attack.name}`, async () => {
        expect(await attack.run(target)).to.deep.equal({ succeeded: false, seen: attack.expected });
      });
  });

  for (const [names, rows] of byDefence)
    describe(`succeed without ${names}`, () => {
      let target: Target;
      before(async () => {
        target = await Target.start(await builder.build(defencesOf(rows[0] as Attack)));
      });
      after(() => target?.stop());
      for (const attack of rows)
        it(`${kindTitles[attack.kind]}: ${attack.name}`, async () => {
          expect(await attack.run(target)).to.include({ succeeded: true });
        });
    });
});
