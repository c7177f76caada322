import { type Logger, messageOf, sentence, ToolkitError } from '../../kernel/index.ts';
import type { PolicyDefinition } from './definition.ts';
import { Policy, stricterDefaults } from './policy.ts';
import { readPolicyFile } from './policy-file.ts';
import type { Rule } from './rule.ts';

export interface PolicySourceOptions {
  /** Absolute path. */
  readonly file: string;
  /** True when the start fails without the file. */
  readonly isRequired: boolean;
  /** Rules of the configuration, checked before those of the file. */
  readonly rules: readonly Rule[];
  readonly defaults: NonNullable<PolicyDefinition['default']>;
  readonly logger: Logger;
  /** Refuses a policy that this configuration cannot enforce. */
  readonly check: (policy: Policy) => void;
}

/** Builds the policy from the configuration and its file, and again after each valid change of the file. */
export class PolicySource {
  readonly #options: PolicySourceOptions;
  readonly #onChange: (policy: Policy) => void;
  /** Text of the last valid file. Once set, a missing file is an error. */
  #text: string | undefined;
  /** True when the current file is invalid. */
  #isBroken = false;
  #reloading: Promise<void> = Promise.resolve();

  constructor(options: PolicySourceOptions, onChange: (policy: Policy) => void) {
    this.#options = options;
    this.#onChange = onChange;
  }

  /** Loads the file. False when it is unchanged. Throws CONFIG_NOT_FOUND, CONFIG_INVALID, or what `check` throws, and keeps the old policy. */
  async load(): Promise<boolean> {
    const { file, isRequired, rules, defaults, check } = this.#options;
    const read = await readPolicyFile(file);
    if (read === undefined && (isRequired || this.#text !== undefined))
      throw new ToolkitError(
        'CONFIG_NOT_FOUND',
        `The policy file ${file} does not exist. Create it, or correct the option "file" of policy-rules.`,
        { file },
      );
    if (read === undefined || (read.text === this.#text && !this.#isBroken)) return false;
    const policy = new Policy([...rules, ...read.rules], stricterDefaults(defaults, read.defaults));
    check(policy);
    this.#onChange(policy);
    this.#text = read.text;
    this.#isBroken = false;
    return true;
  }

  /** Loads the file while calls run: an error is logged, and the old rules stay. Loads run one after the other. */
  reload(): Promise<void> {
    const { logger, file } = this.#options;
    this.#reloading = this.#reloading
      .then(() => this.load())
      .then(
        (hasChanged) => (hasChanged ? logger.info(`policy loaded again from ${file}`) : undefined),
        (error: unknown) => {
          this.#isBroken = true;
          logger.error(`${sentence(messageOf(error))} The rules that were loaded before stay in force.`);
        },
      );
    return this.#reloading;
  }

  /** Resolves when no reload is in progress. */
  get settled(): Promise<void> {
    return this.#reloading;
  }
}
