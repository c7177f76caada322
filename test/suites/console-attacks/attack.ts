import type { Defence } from './defences/defence.ts';
import type { Target } from './target.ts';

/** Kinds of attacks on a console, each with the title of its tests. */
export const kindTitles = {
  csrf: 'another page sends what the operator did not',
  fixation: 'a session that somebody else has chosen',
  replay: 'something is used a second time',
  framing: 'the page in a frame of another one',
  script: 'text of a model runs as script',
  path: 'another spelling of a path',
  'brute-force': 'codes are guessed',
  'cross-origin': 'a page of another origin reads',
  host: 'a foreign Host',
  openid: 'the login at an OpenID provider',
} as const;

export type Kind = keyof typeof kindTitles;

/** The end of an attack. */
export interface Outcome {
  /** True when it has had its effect: the call was decided, the bytes were read, a session was given. The status alone is no effect. */
  readonly succeeded: boolean;
  /** Status of the answer that decides, or in a browser what is seen. */
  readonly seen: number | string;
}

/** One row of the table of attacks. */
export interface Attack {
  readonly kind: Kind;
  /** The sentence of the test, such as `approves a call by a form of another site`; unique in its kind. */
  readonly name: string;
  /** The request for the reader, such as `POST /console/api/approvals/{id}/decide without x-toolkit-csrf`. */
  readonly request: string;
  /** Status with which the real build refuses it, or in a browser what is seen. */
  readonly expected: number | string;
  /** The defence without which it succeeds. Several are all removed at once; the row then says why one of them is not enough. */
  readonly defence: Defence | readonly Defence[];
  /** Defences that are missing in both builds: the row shows what the next one is for. @default none */
  readonly given?: readonly Defence[];
  /** Attacks with the means of somebody who is neither the operator nor on this machine. */
  run(target: Target): Promise<Outcome>;
}

/** Returns the defences that are missing where the attack succeeds. */
export function defencesOf({ defence, given = [] }: Attack): readonly Defence[] {
  return [...given, ...[defence].flat()];
}
