/** Returns the definitions of the tools, by file name. All ask the service and have the parameter `name`. */
export function toolFiles(service: string): Readonly<Record<string, string>> {
  const tool = (name: string, more: object = {}, { path = name, method = 'POST', timeoutMs = 120_000 } = {}): [string, string] => [
    `${name}.yaml`,
    JSON.stringify({
      name,
      description: 'Has an effect, or reads.',
      parameters: { name: { type: 'string', required: true } },
      risk: method === 'GET' ? 'low' : 'medium',
      execution: { type: 'http', method, url: `${service}/${path}`, query_params: { name: '{name}' }, timeout_ms: timeoutMs },
      ...more,
    }),
  ];
  const verify = { tool: 'find_verified', parameters: { name: '{name}' }, after_ms: 1000 };
  return Object.fromEntries([
    tool('act_plain'),
    tool('act_keyed', { idempotency: { header: 'Idempotency-Key' } }),
    tool('act_verified', { verify }, { timeoutMs: 3000 }),
    tool('find_verified', {}, { path: 'act_verified', method: 'GET', timeoutMs: 3000 }),
    tool('read_plain', {}, { method: 'GET' }),
    tool('read_placed', { rate_limit: { concurrency: 50 } }, { method: 'GET' }),
    tool('act_limited', { rate_limit: { concurrency: 5 } }),
  ]);
}
