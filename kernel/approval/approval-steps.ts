import type { RunningCall } from '../call/context/running-call.ts';
import type { CallServices } from '../call/context/services.ts';
import type { Call } from '../call/draft.ts';
import type { ApprovalDecision } from '../call/verdict.ts';
import type { GuardedTap } from '../taps/guarded-tap.ts';
import { bail } from '../taps/run-taps.ts';
import type { MaybePromise } from '../time/maybe-promise.ts';
import type { ApprovalInbox } from './approval-inbox.ts';
import type { ApprovalSteps } from './approve-call.ts';
import { changeOf, identityOf } from './identity-change.ts';

/** Work of the stage `approve`, as its spans name it. */
type ApprovalStep = 'identify' | 'record' | 'ask' | 'begin';

interface Asking {
  /** Taps on `approve`. */
  readonly taps: readonly GuardedTap[];
  /** Runs one step within the time limit of the stage. */
  readonly stage: <T>(step: ApprovalStep, work: () => MaybePromise<T>) => MaybePromise<T>;
  readonly keep: ApprovalSteps['keep'];
  /** Keeps the records of calls that need a person. @default no records */
  readonly inbox: ApprovalInbox | undefined;
}

/** Returns the steps by which a running call is approved. A trial leaves no record. */
export function approvalSteps(services: CallServices, run: RunningCall, call: Call, { taps, stage, keep, inbox }: Asking): ApprovalSteps {
  return {
    mask: run.mask,
    identify: async () => stage('identify', () => identityOf(services, call, run)),
    changeOf: (before, now) => changeOf(services, call, run, before, now),
    hold: async (held) =>
      inbox === undefined || run.isTrial ? undefined : stage('record', () => inbox.hold({ ...held, given: run.given }, run)),
    // One stage for both: the question may stay open when the record is decided elsewhere.
    ask: async (request, held) => {
      const ask = async (signal?: AbortSignal): Promise<ApprovalDecision | undefined> =>
        bail<ApprovalDecision>(
          taps,
          held === undefined || signal === undefined
            ? request
            : {
                ...request,
                record: held.id,
                decidedElsewhere: signal,
                ...(held.isShared === true ? { isShared: true } : {}),
                approvers: held.approvers ?? 1,
              },
          run,
        );
      return stage('ask', () => (held === undefined ? ask() : held.decide(request.reason, ask)));
    },
    begin: async (held) => stage('begin', () => held.begin()),
    keep,
  };
}
