import { type Risk, riskLevels, type Tool } from '../../../../../kernel/index.ts';
import { providerOf } from '../../../../shared/exposure/provider-of.ts';
import type { ScopeOptions } from './options.ts';

/**
 * The scopes that calls need. What is said of a risk opens the tools of lower risk as well (MCP, Step-Up Authorization Flow: scope hierarchies);
 * the scopes of a provider are needed beside those.
 */
export class ToolScopes {
  readonly #byRisk: Readonly<Partial<Record<Risk, readonly string[]>>>;
  readonly #byProvider: ReadonlyMap<string, readonly string[]>;

  constructor({ risk = {}, provider = {} }: ScopeOptions = {}) {
    this.#byRisk = Object.fromEntries(Object.entries(risk).map(([level, scopes]) => [level, scopes.split(' ')]));
    this.#byProvider = new Map(Object.entries(provider).map(([name, scopes]) => [name, scopes.split(' ')]));
  }

  /** All that are named. */
  get all(): readonly string[] {
    return [...new Set([...Object.values(this.#byRisk), ...this.#byProvider.values()].flat())];
  }

  /** What a client needs that begins. */
  get first(): readonly string[] {
    return this.#byRisk.low ?? [];
  }

  neededFor(tool: Tool): readonly string[] {
    return [...new Set([...(this.#byRisk[tool.risk] ?? []), ...(this.#byProvider.get(providerOf(tool)) ?? [])])];
  }

  /** Whether a token with these scopes opens the tool. */
  isOpen(tool: Tool, scopes: readonly string[]): boolean {
    const holds = (needed: readonly string[]): boolean => needed.every((scope) => scopes.includes(scope));
    const levels = riskLevels.slice(riskLevels.indexOf(tool.risk)).map((level) => this.#byRisk[level]);
    const isRiskOpen = levels[0] === undefined || levels.some((needed) => needed !== undefined && holds(needed));
    return isRiskOpen && holds(this.#byProvider.get(providerOf(tool)) ?? []);
  }
}
