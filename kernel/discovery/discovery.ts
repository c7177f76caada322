import { setMaxListeners } from 'node:events';
import { logProblems } from '../definition/check/log-problems.ts';
import type { LinkOptions } from '../definition/link/link.ts';
import type { Contribution } from '../definition/registry/contribution.ts';
import type { Registry } from '../definition/registry/registry.ts';
import { RegistryBuilder } from '../definition/registry/registry-builder.ts';
import { ToolkitError } from '../errors.ts';
import type { Logger } from '../log/logger.ts';
import { type GuardedOptions, tapsFor } from '../taps/guarded-tap.ts';
import { HookRun } from '../taps/hook-run.ts';
import { series } from '../taps/run-taps.ts';

interface DiscoveryOptions {
  readonly hooks: { readonly discover: { readonly taps: readonly unknown[] } };
  readonly logger: Logger;
  readonly mask: <T>(value: T) => T;
  /** Time limit of each tap, in milliseconds. */
  readonly timeoutMs: number;
  readonly linkOptions: () => LinkOptions;
  /** Aborts the running taps. */
  readonly closing: AbortSignal;
}

/**
 * Runs the taps on `discover` in parallel, each with its own time limit and sink. Their additions are applied in the order of the taps. A
 * failed tap does not affect the others; on a reload its previous additions stay.
 */
export class Discovery {
  readonly #options: DiscoveryOptions;
  /** The part of each tap's last additions that no registry can attribute, by tap. */
  readonly #before = new Map<string, Contribution>();

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    // Each parallel tap adds a listener: Node would warn of a leak.
    setMaxListeners(0, options.closing);
  }

  /** Discovers. `previous`: the last tools of plugins. `isShown`: a person reviews new definitions before they take effect. */
  async run(previous: Registry | undefined, isCodeStale: boolean, isShown = false): Promise<Registry> {
    const { hooks, logger, linkOptions: language } = this.#options;
    const builder = new RegistryBuilder(language(), isCodeStale, isShown);
    const taps = hooks.discover.taps as readonly GuardedOptions[];
    const found = await Promise.all(taps.map((tap) => this.#contributionOf(tap, builder, previous !== undefined)));
    for (const contribution of found) builder.take(contribution);
    const registry = await builder.build(previous);
    logProblems(registry.problems, logger);
    logger.debug('tools discovered', { tools: registry.tools.size, problems: registry.problems.length });
    return registry;
  }

  async #contributionOf(tap: GuardedOptions, builder: RegistryBuilder, isReload: boolean): Promise<Contribution> {
    const { logger, mask, timeoutMs, closing } = this.#options;
    const contribution = builder.contribution();
    const run = new HookRun(logger, mask);
    const end = (): void => run.abort(new ToolkitError('ABORTED', 'The discovery was ended because the kernel is closing.'));
    closing.addEventListener('abort', end, { once: true });
    const sinks = { as: (plugin: string) => contribution.sinkOf(plugin) };
    try {
      await run.stage('discover', timeoutMs, () => series(tapsFor({ taps: [tap] }, undefined, plain), sinks, run));
    } catch (error) {
      run.collect(ToolkitError.is(error) ? error : new ToolkitError('PLUGIN_FAILED', String(error)));
    } finally {
      closing.removeEventListener('abort', end);
    }
    contribution.end();
    if (run.collected.length === 0) this.#before.set(tap.name, contribution.copyForFallback());
    else contribution.failed(isReload ? this.#before.get(tap.name) : undefined);
    for (const { code, message, details } of run.collected)
      contribution.problems.push({ severity: 'error', code, message, plugin: contribution.plugin ?? details.plugin ?? tap.name });
    return contribution;
  }
}

const plain = { isWatched: false, isOnce: false };
