import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { Random } from '../support/random.ts';
import type { JobClient } from './job-client.ts';

/** A server that differs from the ordinary one. */
export interface JobServer {
  /** The project's configuration, in YAML. @default none: every tool */
  readonly configuration?: string;
  /** Arguments beside those of the exposure. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A whole piece of work that a model does with nothing but the tools of a server, with a known answer. */
export interface Job<Answer, Facts = void> {
  /** Number of the job in the list that it comes from; by it the costs are compared. */
  readonly number: number;
  readonly title: string;
  /** Writes the inputs below the folder that is the server's root; the same random numbers make the same inputs. Returns what the task's text names. */
  prepare(folder: string, random: Random): Promise<Facts>;
  /** Works the answer out by calls of tools alone. It knows the task and what the tools say, never the inputs. */
  steps(client: JobClient, facts: Facts): Promise<Answer>;
  /** Returns the right answer, by coreutils or Python. Runs before the steps, which may change the inputs. */
  expected(folder: string, facts: Facts): Answer | Promise<Answer>;
  /** Tokens shown and typed together, in each exposure; search steps count. @default no limit */
  readonly maxTokens?: number;
  /** @default the ordinary server */
  server?(facts: Facts): JobServer;
  /** Answers the server's questions. @default the client has no person to ask */
  person?(question: string): ElicitResult;
}
