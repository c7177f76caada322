import type { CallStage, ReachedStage } from '../../wire/calls.ts';

/** A stage with its duration. */
export interface StageTime {
  readonly stage: CallStage;
  /** Time from the start of the call, in milliseconds. */
  readonly fromMs: number;
  readonly durationMs: number;
}

/** Stages in words. */
export const stageTitles: Readonly<Record<CallStage, string>> = {
  checks: 'Checks',
  approval: 'Approval',
  run: 'Run',
  output: 'Output',
};

/** Stages of a running call in words. */
export const presentStages: Readonly<Record<CallStage, string>> = {
  checks: 'is checked',
  approval: 'waits for approval',
  run: 'runs',
  output: 'output is checked',
};

/** Returns the duration of each stage: it ends where the next one begins. Clocks that disagree give no negative time. */
export function stageTimes(stages: readonly ReachedStage[], startedAt: number, endedAt: number): readonly StageTime[] {
  return stages.map(({ stage, beganAt }, index) => {
    const until = stages[index + 1]?.beganAt ?? endedAt;
    return { stage, fromMs: Math.max(0, beganAt - startedAt), durationMs: Math.max(0, until - beganAt) };
  });
}
