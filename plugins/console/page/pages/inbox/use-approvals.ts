import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalPage, ApprovalRecord } from '../../../../../kernel/index.ts';
import type { ApiError } from '../../api.ts';
import { useConsole } from '../../console-context.ts';

const pageSize = 100;

export interface ApprovalList {
  /** Absent until the first answer. */
  readonly records: readonly ApprovalRecord[] | undefined;
  /** Number of records that this server cannot read. */
  readonly unreadable: number;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly error: ApiError | undefined;
  readonly reload: () => Promise<void>;
}

/** Reads that many pages of records, newest first, now and after each change. */
export function useApprovals(status: 'waiting' | undefined, pages: number): ApprovalList {
  const { api, live } = useConsole();
  const [list, setList] = useState<Omit<ApprovalList, 'reload' | 'isLoading'>>({
    records: undefined,
    unreadable: 0,
    hasMore: false,
    error: undefined,
  });
  const [isLoading, setIsLoading] = useState(true);
  const round = useRef(0);
  const reload = useCallback(async () => {
    const own = ++round.current;
    setIsLoading(true);
    try {
      const next = await readPages((path) => api.get<ApprovalPage>(path), status, pages);
      if (own === round.current) setList({ ...next, error: undefined });
    } catch (error) {
      if (own === round.current) setList((before) => ({ ...before, error: error as ApiError }));
    } finally {
      if (own === round.current) setIsLoading(false);
    }
  }, [api, status, pages]);
  useEffect(() => {
    void reload();
    return live.on('approvals', () => void reload());
  }, [reload, live]);
  return { ...list, isLoading, reload };
}

async function readPages(
  read: (path: string) => Promise<ApprovalPage>,
  status: string | undefined,
  pages: number,
): Promise<Pick<ApprovalList, 'records' | 'unreadable' | 'hasMore'>> {
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
