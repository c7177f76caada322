import { expect } from 'chai';
import { type Attack, defencesOf, kindTitles } from './console-attacks/attack.ts';
import type { Defence } from './console-attacks/defences/defence.ts';
import { bruteForce } from './console-attacks/kinds/brute-force.ts';
import { crossOrigin } from './console-attacks/kinds/cross-origin.ts';
import { crossOriginRequests } from './console-attacks/kinds/cross-origin-requests.ts';
import { csrf } from './console-attacks/kinds/csrf.ts';
import { fixation } from './console-attacks/kinds/fixation.ts';
import { framing } from './console-attacks/kinds/framing.ts';
import { hosts } from './console-attacks/kinds/hosts.ts';
import { openid } from './console-attacks/kinds/openid.ts';
import { paths } from './console-attacks/kinds/paths.ts';
import { replay } from './console-attacks/kinds/replay.ts';
import { script } from './console-attacks/kinds/script.ts';
import { Builder } from './console-attacks/mutant.ts';
import { Target } from './console-attacks/target.ts';

/** The table of all attacks. */
const attacks: readonly Attack[] = [
  ...[...csrf, ...fixation, ...replay, ...paths, ...bruteForce, ...crossOriginRequests, ...hosts, ...openid],
  ...[...framing, ...script, ...crossOrigin],
];

/** Groups the attacks by the names of defences that are missing in a build. */
function byMissing(missing: (attack: Attack) => readonly Defence[]): ReadonlyMap<string, readonly Attack[]> {
  const groups = new Map<string, readonly Attack[]>();
  for (const attack of attacks) {
    const names = missing(attack)
      .map(({ name }) => name)
      .join(' and ');
    groups.set(names, [...(groups.get(names) ?? []), attack]);
  }
  return groups;
}

const givenOf = ({ given = [] }: Attack): readonly Defence[] => given;
const title = ({ kind, name, request, expected }: Attack): string => `${kindTitles[kind]}: ${name} (${request}: ${expected})`;

describe('attacks on the console', () => {
  it('are forty at least, three of each kind, each of them once', () => {
    expect(attacks.length).to.be.at.least(40);
    expect(new Set(attacks.map(title)).size).to.equal(attacks.length);
    for (const kind of Object.keys(kindTitles)) expect(attacks.filter((attack) => attack.kind === kind).length, kind).to.be.at.least(3);
  });

  const builder = new Builder();
  after(() => builder.close());

  for (const [names, rows] of byMissing(givenOf))
    describe(names === '' ? 'are refused' : `are refused also without ${names}`, () => {
      const target = started(() => builder.build(givenOf(rows[0] as Attack)));
      for (const attack of rows)
        it(title(attack), async () => {
          expect(await attack.run(target())).to.deep.equal({ succeeded: false, seen: attack.expected });
        });
    });

  for (const [names, rows] of byMissing(defencesOf))
    describe(`succeed without ${names}`, () => {
      const target = started(() => builder.build(defencesOf(rows[0] as Attack)));
      for (const attack of rows)
        it(title(attack), async () => {
          expect(await attack.run(target())).to.include({ succeeded: true });
        });
    });
});

/** Starts a program for the tests of a block. */
function started(build: () => Promise<string>): () => Target {
  let target: Target;
  before(async () => {
    target = await Target.start(await build());
  });
  after(() => target?.stop());
  return () => target;
}
