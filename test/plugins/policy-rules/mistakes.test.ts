import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { policed } from './policed.ts';

describe('a policy file with a mistake refuses to start:', () => {
  const cases: readonly { readonly what: string; readonly text: string; readonly says: string }[] = [
    { what: 'nothing in it', text: '', says: 'expected an object with keys, received null' },
    { what: 'no YAML', text: 'rules: [', says: 'policy.yaml:1:9 is not valid YAML' },
    { what: 'a list', text: '- { effect: deny }', says: 'expected an object with keys, received array of 1' },
    { what: 'a key twice', text: 'rules: []\nrules: []', says: 'policy.yaml:2:1 is not valid YAML' },
    {
      what: 'a mistyped key',
      text: 'rules:\n  - efect: deny\n    effect: allow',
      says: 'policy.yaml:2:5 rules[0].efect: is not known here. Did you mean "effect"?',
    },
    { what: 'a strange key', text: 'rules:\n  - effect: deny\n    zone: x', says: 'policy.yaml:3:5 rules[0].zone: is not known here' },
    {
      what: 'a strange key of match',
      text: 'rules:\n  - match:\n      team: x\n    effect: deny',
      says: 'policy.yaml:3:7 rules[0].match.team: is not known here',
    },
    { what: 'a strange risk of default', text: 'default:\n  huge: deny', says: 'policy.yaml:2:3 default.huge: is not known here' },
    { what: 'no effect', text: 'rules:\n  - match: { tool: pay }', says: 'rules[0].effect: is required' },
    {
      what: 'another effect',
      text: 'rules:\n  - effect: refuse',
      says: 'policy.yaml:2:5 rules[0].effect: expected one of "allow", "ask", "deny", received string "refuse"',
    },
    { what: 'a list of effects', text: 'rules:\n  - effect: [deny]', says: 'rules[0].effect: expected' },
    { what: 'an empty list of tools', text: 'rules:\n  - match: { tool: [] }\n    effect: deny', says: 'rules[0].match.tool: expected' },
    { what: 'an empty name of a tool', text: "rules:\n  - match: { tool: '' }\n    effect: deny", says: 'rules[0].match.tool: expected' },
    {
      what: 'another risk',
      text: 'rules:\n  - match: { risk: huge }\n    effect: deny',
      says: 'rules[0].match.risk: expected one of "low", "medium", "high"',
    },
    {
      what: 'another origin',
      text: 'rules:\n  - match: { origin: agent }\n    effect: deny',
      says: 'rules[0].match.origin: expected one of "host", "model"',
    },
    {
      what: 'a URL in place of a host',
      text: 'rules:\n  - match: { host: https://example.com/x }\n    effect: deny',
      says: 'rules[0].match.host: expected',
    },
    {
      what: 'a host with its port',
      text: "rules:\n  - match: { host: 'example.com:443' }\n    effect: deny",
      says: 'rules[0].match.host: expected',
    },
    {
      what: 'a condition that does not parse',
      text: "rules:\n  - effect: deny\n    when: 'params.amount >'",
      says: 'policy.yaml:3:5 rules[0].when: Unexpected token: EOF (at column 16 of the condition)',
    },
    {
      what: 'a condition of another type',
      text: 'rules:\n  - effect: deny\n    when: tool',
      says: 'policy.yaml:3:5 rules[0].when: gives string',
    },
    {
      what: 'a condition that is no text',
      text: 'rules:\n  - effect: deny\n    when: true',
      says: 'policy.yaml:3:5 rules[0].when: expected string, received boolean true',
    },
    { what: 'two mistakes, both told', text: 'rules:\n  - effect: no\n  - effect: deny\n    when: 1', says: 'rules[1].when' },
  ];
  for (const { what, text, says } of cases) {
    it(what, async () => {
      const error = await rejection(policed({}, { files: { 'policy.yaml': text } }), 'CONFIG_INVALID');
      expect(error.message)
        .to.match(/^The policy is refused: /)
        .and.to.include(says);
      expect(error.details['plugin']).to.equal('policy-rules');
    });
  }
});
