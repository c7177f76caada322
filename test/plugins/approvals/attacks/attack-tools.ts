/** Returns the files of a project whose tools need approval and act on this service. */
export function toolsOf(service: string): Readonly<Record<string, string>> {
  return {
    'tools/definition.yaml': providerAt(service),
    'tools/pay.yaml': payTool(),
    'tools/refund.yaml': payTool().replace('name: pay', 'name: refund').replace('/pay', '/refund'),
    'tools/deposit.yaml': payTool()
      .replace('name: pay', 'name: deposit')
      .replace('/pay', '/deposit')
      .replace('risk:', 'secrets: [BANK_TOKEN]\nrisk:'),
    'tools/transfer.yaml': payTool().replace('name: pay', 'name: transfer').replace('requires_approval: true\n', ''),
    'tools/send.yaml': sendTool,
    'tools/send.mjs': sendCode(service),
    'policy.yaml': policyBecause('it moves money'),
    'letter.txt': 'Dear Ada,\n',
  };
}

export function providerAt(url: string, description = 'A bank.'): string {
  return `provider: { name: bank }\ndescription: ${description}\nbase_url: ${url}\n`;
}

export function payTool(description = 'Pays.'): string {
  return `name: pay
provider: bank
description: ${description}
risk: medium
parameters:
  to: { type: string, description: The payee., required: true }
  amount: { type: number, description: The amount. }
  note: { type: string, description: A note. }
  data: { type: object, description: More., additionalProperties: true }
requires_approval: true
execution: { type: http, method: POST, url: /pay, body: { to: '{to}', amount: '{amount}', note: '{note}', data: '{data}' } }
`;
}

const sendTool = `name: send
description: Sends a file.
risk: medium
parameters:
  file: { type: string, path: read, description: The file., required: true }
requires_approval: true
execution: { type: function, code: ./send.mjs }
`;

export function sendCode(service: string, more = ''): string {
  return `export default async () => {\n  await fetch('${service}/send', { method: 'POST' });\n  return 'sent';\n};\n${more}`;
}

/** A policy that asks about `transfer`. */
export function policyBecause(reason: string, more = ''): string {
  return `rules:\n  - { name: money, match: { tool: transfer }, effect: ask, reason: ${reason} }\n${more}`;
}
