import type { ApprovalPage, ApprovalRecord } from '../../../../../kernel/index.ts';
import type { ApiError } from '../../api.ts';
import { useConsole } from '../../console-context.ts';
import { useReading } from '../../hooks/use-reading.ts';

const pageSize = 100;

export interface ApprovalList {
  /** Absent until the first answer. */
  readonly records: readonly ApprovalRecord[] | undefined;
  /** Number of records that this server cannot read. */
  readonly unreadable: number;
  readonly hasMore: boolean;
  /** True until the first answer for the chosen status and number of pages. */
  readonly isLoading: boolean;
  readonly error: ApiError | undefined;
  readonly reload: () => Promise<void>;
}

/** Reads that many pages of records, newest first, now and after each change. Those of the choice before stay until the first answer. */
export function useApprovals(status: 'waiting' | undefined, pages: number): ApprovalList {
  const { api } = useConsole();
  const key = `${status}:${pages}`;
  const read = useReading(key, () => readPages((path) => api.get<ApprovalPage>(path), status, pages), ['approvals']);
  const { value, valueKey, error, reload } = read;
  return {
    records: value?.records,
    unreadable: value?.unreadable ?? 0,
    hasMore: value?.hasMore ?? false,
    isLoading: valueKey !== key && error === undefined,
    error,
    reload,
  };
}

interface ReadRecords {
  readonly records: readonly ApprovalRecord[];
  readonly unreadable: number;
  readonly hasMore: boolean;
}

async function readPages(read: (path: string) => Promise<ApprovalPage>, status: string | undefined, pages: number): Promise<ReadRecords> {
  const records = new Map<string, ApprovalRecord>();
  let unreadable = 0;
  let after: string | undefined;
  for (let page = 0; page < pages; page++) {
    const query = new URLSearchParams({
      limit: String(pageSize),
      ...(status === undefined ? {} : { status }),
      ...(after === undefined ? {} : { after }),
    });
    const answer = await read(`approvals?${query}`);
    for (const record of answer.approvals) records.set(record.id, record);
    unreadable += answer.unreadable ?? 0;
    after = answer.next;
    if (after === undefined) break;
  }
  return { records: [...records.values()], unreadable, hasMore: after !== undefined };
}
