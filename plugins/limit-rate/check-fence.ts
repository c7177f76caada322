import type { DefinitionContext, Issue } from '../../kernel/index.ts';
import type { RateLimit } from './limit.ts';

/** Returns an issue for a fenced tool without a time limit of its own: the fence lasts as long as its longest call. */
export function checkFence(limit: RateLimit, { definition, provider }: DefinitionContext): readonly Issue[] {
  const ofProvider = (provider?.definition as { readonly rate_limit?: RateLimit } | undefined)?.rate_limit;
  const isFenced = limit.fence === true || ofProvider?.fence === true;
  if (!isFenced || definition.execution.timeout_ms !== undefined) return [];
  return [
    {
      path: 'execution',
      pointer: '/execution',
      message: 'needs timeout_ms, because rate_limit.fence gives a lost slot to another call after that time',
    },
  ];
}
