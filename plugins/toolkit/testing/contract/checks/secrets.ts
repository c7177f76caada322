import { inspect } from 'node:util';
import { isPlainObject, ToolkitError } from '../../../../../kernel/index.ts';
import type { TestKit } from '../../test-kit.ts';
import { captureOutput } from '../capture-output.ts';
import { type ContractCheck, failIf } from '../contract-check.ts';
import { contractSecret, outcomeOf, type Subject } from '../subject.ts';

/** Outputs of a plugin after calls of tools with a secret. */
interface Traces {
  readonly log: string;
  readonly printed: string;
  readonly answers: string;
  readonly status: string;
}

/** Checks that no secret is visible. */
export const secretsChecks: readonly ContractCheck[] = [
  leak(
    'logs no secret of a tool',
    'log',
    'The log holds the secret of a tool. Log through kernel.logger or context.logger, which mask it.',
  ),
  leak('prints no secret of a tool', 'printed', 'Prints the secret of a tool. Use kernel.logger or context.logger, which mask it.'),
  leak(
    'shows no secret of a tool in answers and errors',
    'answers',
    'An answer or an error holds the secret of a tool. Use context.mask().',
  ),
  leak('shows no secret of a tool in its status', 'status', 'What it gives to extend.status() holds the secret of a tool. Leave it out.'),
  leakOfOptions('logs no secret among its options', 'log', 'in the log'),
  leakOfOptions('shows no secret among its options in answers and errors', 'answers', 'in an answer or an error'),
  leakOfOptions('shows no secret among its options in its status', 'status', 'in what it gives to extend.status()'),
];

/** Parts of the secret: a part counts as a leak, and is not masked. */
const parts = [contractSecret.slice(0, 8), contractSecret.slice(8, 16), contractSecret.slice(16)];

function leak(title: string, where: keyof Traces, message: string): ContractCheck {
  return {
    title,
    async run(subject) {
      const traces = await tracesOf(subject);
      failIf(
        parts.some((part) => traces[where].includes(part)),
        message,
      );
    },
  };
}

/** Returns a check of secrets in the plugin's own options, which the plugin must register; the kernel knows those of tools only. */
function leakOfOptions(title: string, where: keyof Traces, location: string): ContractCheck {
  return {
    title,
    async run(subject) {
      const traces = await tracesOf(subject);
      const seen = secretOptions(subject.options).find(([, value]) => traces[where].includes(value));
      failIf(
        seen !== undefined,
        `Its option "${seen?.[0]}" is ${location}. Call kernel.maskAlso(name, value) in apply(), before anything else.`,
      );
    },
  };
}

function tracesOf(subject: Subject): Promise<Traces> {
  return subject.once('traces', () =>
    subject.withCalls(async (kit) => {
      const { result, stdout, stderr } = await captureOutput(async () => {
        const calls = ['contract_secret', 'contract_secret_fail', 'contract_echo'].map((tool) => outcomeOf(kit, tool));
        return Promise.all(calls);
      });
      return {
        log: JSON.stringify(kit.log),
        printed: stdout + stderr,
        answers: inspect(
          [...result.map(visiblePart), ...kit.ends.map(({ outcome, ...end }) => ({ ...end, outcome: visiblePart(outcome) }))],
          inspectAll,
        ),
        status: statusOf(kit),
      };
    }),
  );
}

const inspectAll = { depth: null, maxArrayLength: null, maxStringLength: null } as const;

/** Returns what a host shows of an error: without its cause. */
function visiblePart(outcome: object): object {
  if (!('error' in outcome) || !ToolkitError.is(outcome.error)) return outcome;
  const { code, message, details } = outcome.error;
  return { code, message, details };
}

function statusOf({ kernel }: TestKit): string {
  try {
    return JSON.stringify(kernel.status());
  } catch {
    // Another check reports that.
    return '';
  }
}

/** Returns the options with a secret's name, at any depth. */
function secretOptions(options: unknown): readonly (readonly [string, string])[] {
  if (Array.isArray(options)) return options.flatMap(secretOptions);
  if (!isPlainObject(options)) return [];
  return Object.entries(options).flatMap(([name, value]) => {
    const isSecret = typeof value === 'string' && value.length >= 8 && /token|key|secret|password|credential/i.test(name);
    return isSecret ? [[name, value as string] as const] : secretOptions(value);
  });
}
