import { type Logger, messageOf, sentence, ToolkitError } from '../../kernel/index.ts';
import type { PolicyDefinition } from './definition.ts';
import { Policy, stricterDefaults } from './policy.ts';
import { readPolicyFile } from './policy-file.ts';
import type { Rule } from './rule.ts';

export interface PolicySources {
  /** Absolute. */
  readonly file: string;
  /** Without it nothing starts. */
  readonly isRequired: boolean;
  /** Rules of the configuration: they come before those of the file. */
  readonly rules: readonly Rule[];
  readonly defaults: NonNullable<PolicyDefinition['default']>;
  readonly logger: Logger;
}

/** Gives the policy of the configuration and its file, and another one when the file has changed: never one that is broken. */
export class PolicySource {
  readonly #sources: PolicySources;
  readonly #use: (policy: Policy) => void;
  /** What the file said once it has given rules: from then on its absence is a mistake. */
  #text: string | undefined;
  /** What the file says now cannot be used. */
  #isBroken = false;
  #reloading: Promise<void> = Promise.resolve();

  constructor(sources: PolicySources, use: (policy: Policy) => void) {
    this.#sources = sources;
    this.#use = use;
  }

  /** False where the file says what it said. Throws CONFIG_NOT_FOUND or CONFIG_INVALID, and leaves the policy as it is. */
  async load(): Promise<boolean> {
    const { file, isRequired, rules, defaults } = this.#sources;
    const read = await readPolicyFile(file);
    if (read === undefined && (isRequired || this.#text !== undefined))
      throw new ToolkitError(
        'CONFIG_NOT_FOUND',
        `The policy file ${file} does not exist. Create it, or correct the option "file" of policy-rules.`,
        { file },
      );
    if (read === undefined || (read.text === this.#text && !this.#isBroken)) return false;
    this.#use(new Policy([...rules, ...read.rules], stricterDefaults(defaults, read.defaults)));
    this.#text = read.text;
    this.#isBroken = false;
    return true;
  }

  /** `load` while calls run: what cannot be used is logged, and the rules that were good stay. One at a time, in order. */
  reload(): Promise<void> {
    const { logger, file } = this.#sources;
    this.#reloading = this.#reloading
      .then(() => this.load())
      .then(
        (isOther) => (isOther ? logger.info(`policy loaded again from ${file}`) : undefined),
        (error: unknown) => {
          this.#isBroken = true;
          logger.error(`${sentence(messageOf(error))} The rules that were loaded before stay in force.`);
        },
      );
    return this.#reloading;
  }

  /** Resolves when no reload is under way. */
  get settled(): Promise<void> {
    return this.#reloading;
  }
}
