import { deny, type PluginApi } from '../../../../../kernel/index.ts';
import { isCallerOf } from './caller-name.ts';
import type { AuthorizationOptions } from './options.ts';
import { ToolScopes } from './tool-scopes.ts';

/**
 * Refuses calls whose caller lacks a scope, including calls that a tool makes for its caller. The earlier HTTP refusal only tells the
 * client how to obtain the scope. A caller of an issuer without known scopes has none.
 */
export function requireScopes({ hooks }: PluginApi, { issuers = [], scopes }: AuthorizationOptions): void {
  if (issuers.length === 0 || scopes === undefined) return;
  const needs = new ToolScopes(scopes);
  const isLimited = isCallerOf(issuers.map(({ issuer }) => issuer));
  hooks.beforeExecute.tap({ name: 'scopes', appliesTo: (tool) => needs.neededFor(tool).length > 0 }, (draft, { client }) => {
    const { caller, tool } = draft;
    const held = client.scopes ?? (isLimited(caller) ? [] : undefined);
    if (held === undefined || needs.isAllowed(tool, held)) return undefined;
    const message = `the access token lacks a scope: "${tool.name}" needs ${needs.neededFor(tool).join(' ')}`;
    return deny(draft, { kind: 'scope', message });
  });
}
