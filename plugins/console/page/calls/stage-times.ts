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

/** A part of a bar, in percent of its width. */
export interface BarPart {
  readonly stage: CallStage;
  readonly from: number;
  readonly width: number;
}

/** Least part of a bar, in percent, so that each stage can be seen. */
const minWidth = 1;

/** Returns the parts of a bar, side by side: in proportion to their durations, but for the shortest ones, which are widened. */
export function barParts(times: readonly StageTime[]): readonly BarPart[] {
  const wholeMs = Math.max(
    1,
    times.reduce((sum, { durationMs }) => sum + durationMs, 0),
  );
  const widths = times.map(({ durationMs }) => Math.max(minWidth, (durationMs / wholeMs) * 100));
  const whole = widths.reduce((sum, width) => sum + width, 0);
  let from = 0;
  return times.map(({ stage }, index) => {
    const width = ((widths[index] ?? 0) / whole) * 100;
    from += width;
    return { stage, from: from - width, width };
  });
}
