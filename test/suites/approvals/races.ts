import { expect } from 'chai';
import type { ApprovalRecord } from '../../../kernel/index.ts';
import type { Approver, Attempt, Way } from './approvers.ts';

/** Records that one program of the command line decides. */
const batchSize = 20;

/**
 * Has all approvers decide all records, each with its own opinion about a batch. All begin a batch at the same time, when the slowest is ready: every
 * other batch in the same order, so that they meet at each record, the others in orders of their own, so that the slowest is first somewhere.
 */
export async function raceFor(
  records: readonly ApprovalRecord[],
  approvers: readonly Approver[],
  random: () => number,
): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  for (let from = 0; from < records.length; from += batchSize) {
    const batch = records.slice(from, from + batchSize);
    const orderOf = (): readonly ApprovalRecord[] => ((from / batchSize) % 2 === 0 ? batch : shuffled(batch, random));
    const ready = await Promise.all(approvers.map((approver) => approver.prepare(orderOf(), random() < 0.5)));
    for (const ends of await Promise.all(ready.map((decide) => decide()))) attempts.push(...ends);
  }
  return attempts;
}

/** Has the first approver decide the records with this opinion, and then the others, who are of another one and come too late. */
export async function decideBefore(
  records: readonly ApprovalRecord[],
  [first, ...others]: readonly [Approver, ...Approver[]],
  approve: boolean,
): Promise<readonly Attempt[]> {
  const [decide, ...come] = await Promise.all([
    first.prepare(records, approve),
    ...others.map((other) => other.prepare(records, !approve)),
  ]);
  const attempts = [...(await decide())];
  for (const ends of await Promise.all(come.map((late) => late()))) attempts.push(...ends);
  return attempts;
}

/** Checks that each record has the one decision of its winner, of which all others were told. Returns the number of decisions of each way. */
export function expectOneDecision(records: readonly ApprovalRecord[], attempts: readonly Attempt[]): ReadonlyMap<Way, number> {
  const wins = new Map<Way, number>();
  for (const { id, decisions } of records) {
    const ofRecord = attempts.filter((attempt) => attempt.id === id);
    const [winner, ...others] = ofRecord.filter(({ lost }) => lost === undefined);
    if (winner === undefined) throw new Error(`${id} was decided by none of ${JSON.stringify(ofRecord)}`);
    expect(others, id).to.deep.equal([]);
    const { way, name, approve, replied = decisions } = winner;
    expect(replied, `the reply to who decided ${id}`).to.deep.equal(decisions);
    expect(
      decisions.map((decision) => ({ approve: decision.approve, by: decision.by })),
      id,
    ).to.deep.equal([{ approve, by: { way, name } }]);
    const said = `${name} (${way}) ${approve ? 'approved' : 'refused'} it`;
    for (const { lost } of ofRecord) if (lost !== undefined) expect(lost, id).to.include(said);
    wins.set(way, (wins.get(way) ?? 0) + 1);
  }
  return wins;
}

function shuffled<T>(values: readonly T[], random: () => number): readonly T[] {
  return values
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}
