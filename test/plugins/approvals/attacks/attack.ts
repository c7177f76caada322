import { expect } from 'chai';
import { type ApprovalRecord, type ApprovalStatus, ToolkitError } from '../../../../kernel/index.ts';
import { attackWorld, type World, type WorldOptions } from './attack-world.ts';

/** Something that an attacker does with an answer or a record. */
export interface Attack {
  readonly attack: string;
  readonly world?: WorldOptions;
  /** Does the honest part, and returns the attack. */
  begin(world: World): Promise<() => Promise<unknown>>;
  /** Matches what the trail says about the attack: a refused answer, a refused call, or a refused request. */
  readonly says: RegExp;
  /** The status to which the attack rightly changes records, such as `void` for a call that is not what was approved. @default none */
  readonly ends?: ApprovalStatus;
  /** True when the attacker writes into the store: its own record need not stay readable. @default false */
  readonly breaks?: true;
  /** The status of records that the attack makes: a new question, which nobody has decided. @default 'waiting' */
  readonly made?: ApprovalStatus;
  /** Number of effects that the attack rightly has, such as the one run of what was approved. @default 0 */
  readonly rightly?: number;
}

/** One test for each attack: it changes nothing, and the trail has it. */
export function changeNothing(attacks: readonly Attack[]): void {
  for (const attack of attacks) it(attack.attack, () => expectNothing(attack));
}

export async function expectNothing({
  world: options = {},
  begin,
  says,
  ends,
  breaks,
  made: madeStatus = 'waiting',
  rightly = 0,
}: Attack): Promise<void> {
  const world = await attackWorld(options);
  const bystander = await world.hold({ to: 'bystander' }, { tool: 'transfer', caller: 'bob' });
  const attack = await begin(world);
  const before = { records: await world.records(), effects: world.effects.length, trail: world.trail.length };
  await attack().catch((error: unknown) => {
    if (!ToolkitError.is(error)) throw error;
  });
  const after = new Map((await world.records()).map((record) => [record.id, record]));
  expect(world.effects.length - before.effects, 'effects').to.equal(rightly);
  const compared = before.records.filter(({ id }) => breaks !== true || id === bystander.id);
  for (const record of compared) expectSame(record, after.get(record.id), record.id === bystander.id ? undefined : ends);
  const known = new Set(before.records.map(({ id }) => id));
  const made = [...after.values()].filter(({ id }) => !known.has(id));
  for (const { id, status, decisions } of made) expect([status, decisions], `the new record ${id}`).to.deep.equal([madeStatus, []]);
  const trail = world.trail.slice(before.trail);
  expect(trail.join('\n'), 'the trail').to.match(says);
}

/** Compares everything but the number of equal calls. */
function expectSame(before: ApprovalRecord, after: ApprovalRecord | undefined, ends: ApprovalStatus | undefined): void {
  const { count: _, ...was } = before;
  if (ends !== undefined && after?.status === ends) {
    const yeses = ({ decisions }: Pick<ApprovalRecord, 'decisions'>) => decisions.filter(({ approve }) => approve);
    expect([after.digest, yeses(after)], `the record ${before.id}`).to.deep.equal([was.digest, yeses(before)]);
    return;
  }
  const { count: __, ...is } = after ?? { count: 0 };
  expect(is, `the record ${before.id}`).to.deep.equal(was);
}

/** A person at a terminal. */
export const ann = { way: 'command line', name: 'ann' } as const;
/** Another one, who decides in code. */
export const ben = { way: 'library', name: 'ben' } as const;

export const yes = { approve: true, by: ann } as const;
export const no = { approve: false, by: ann } as const;

/** The arguments that are asked about. */
export const given = { to: 'Ada', amount: 1, data: { first: 1, second: [1, 2] } } as const;
