import type { ApprovalRecord, ManyDecided } from '../../../../../kernel/index.ts';
import type { Api } from '../../api.ts';
import { shownLine } from '../../formats/shown-text.ts';
import { counted } from '../../formats/words.ts';
import type { Decision } from './decision.ts';

/** Maximum number of records in one request. */
const maxRecords = 200;

/** Decides the records, each for the digest that was shown. Rejects with ApiError; records of requests before it are decided then. */
export async function decideMany(
  api: Api,
  { approve, reason }: Decision,
  records: readonly Pick<ApprovalRecord, 'id' | 'digest'>[],
): Promise<readonly ManyDecided[]> {
  const decided: ManyDecided[] = [];
  for (let from = 0; from < records.length; from += maxRecords) {
    const part = records.slice(from, from + maxRecords).map(({ id, digest }) => ({ id, digest }));
    decided.push(
      ...(await api.post<readonly ManyDecided[]>('approvals/decide', {
        approve,
        ...(reason === undefined ? {} : { reason }),
        records: part,
      })),
    );
  }
  return decided;
}

/** Returns the result as sentences, with the first reasons of those that could not be decided. */
export function manyResult(approve: boolean, decided: readonly ManyDecided[]): { readonly text: string; readonly isWhole: boolean } {
  const failures = decided.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  const done = decided.length - failures.length;
  const verb = approve ? 'approved' : 'refused';
  if (failures.length === 0) return { text: `${counted(done, 'call')} ${verb}.`, isWhole: true };
  const first = [...new Set(failures)].slice(0, 3).map(shownLine).join(' ');
  return { text: `${done} of ${counted(decided.length, 'call')} ${verb}. The others are unchanged: ${first}`, isWhole: false };
}
