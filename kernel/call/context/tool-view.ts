import type { Advise } from '../../definition/registry/check-tool.ts';
import type { Skill } from '../../definition/resources/skill.ts';
import type { Origin } from '../../definition/schema/origin.ts';
import type { Problem } from '../../definition/schema/problem.ts';
import type { Tool } from '../../definition/schema/tool.ts';
import type { CallOutput } from '../output.ts';

/** The tools that the caller of the current call may see and call. */
export interface ToolView {
  list(): readonly Tool[];
  /** Throws TOOL_NOT_FOUND. */
  get(name: string): Tool;
  /**
   * Returns missing secrets by tool name: required by the tool, and provided by no resolver. Tools without missing secrets are left out,
   * and so are secrets whose resolver fails. Throws TOOL_NOT_FOUND.
   */
  missingSecrets(tools: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Calls another tool for the same caller. Approval and policy apply as to any call. `approved` is the caller's claim (true) or
   * its approval token.
   */
  call(name: string, parameters: Readonly<Record<string, unknown>>, approved?: true | string): Promise<CallOutput>;
  /** Returns the current skills, by name. */
  skills(): readonly Skill[];
  /**
   * Discovers again and returns the problems of the new definitions. Tools of an invalid file stay unchanged. In a call of a model,
   * applies exactly the changes of `previewReload`. Throws APPROVAL_REQUIRED.
   */
  reload(): Promise<readonly Problem[]>;
  /** Returns the problems of a tool definition next to the registered tools, and the remarks of `advise`. Registers nothing. */
  check(definition: unknown, origin?: Partial<Omit<Origin, 'plugin'>>, advise?: Advise): readonly Problem[];
}
