import { type Risk, riskLevels, type Tool } from '../../../../../kernel/index.ts';
import { providerOf } from '../../../../shared/exposure/provider-of.ts';
import type { ScopeOptions } from './options.ts';

/**
 * Scopes that calls need. The scope of a risk also allows tools of lower risk (MCP, Step-Up Authorization Flow: scope hierarchies).
 * The scopes of a provider are needed in addition.
 */
export class ToolScopes {
  readonly #byRisk: Readonly<Partial<Record<Risk, readonly string[]>>>;
  readonly #byProvider: ReadonlyMap<string, readonly string[]>;

  constructor({ risk = {}, provider = {} }: ScopeOptions = {}) {
    this.#byRisk = Object.fromEntries(Object.entries(risk).map(([level, scopes]) => [level, scopes.split(' ')]));
    this.#byProvider = new Map(Object.entries(provider).map(([name, scopes]) => [name, scopes.split(' ')]));
  }

  /** All configured scopes. */
  get all(): readonly string[] {
    return [...new Set([...Object.values(this.#byRisk), ...this.#byProvider.values()].flat())];
  }

  /** Scopes that a new client should request. */
  get initialScopes(): readonly string[] {
    return this.#byRisk.low ?? [];
  }

  neededFor(tool: Tool): readonly string[] {
    return [...new Set([...(this.#byRisk[tool.risk] ?? []), ...(this.#byProvider.get(providerOf(tool)) ?? [])])];
  }

  /** Returns true when these scopes allow the tool. */
  isAllowed(tool: Tool, scopes: readonly string[]): boolean {
    const holds = (needed: readonly string[]): boolean => needed.every((scope) => scopes.includes(scope));
    const levels = riskLevels.slice(riskLevels.indexOf(tool.risk)).map((level) => this.#byRisk[level]);
    const isRiskOpen = levels[0] === undefined || levels.some((needed) => needed !== undefined && holds(needed));
    return isRiskOpen && holds(this.#byProvider.get(providerOf(tool)) ?? []);
  }
}
