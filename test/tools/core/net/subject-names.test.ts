import { expect } from 'chai';
import { subjectNames } from '../../../../tools/core/net/subject-names.ts';

describe('the names of a certificate', () => {
  const cases: readonly { text: string | undefined; names: readonly string[] }[] = [
    { text: undefined, names: [] },
    { text: '', names: [] },
    { text: 'DNS:a.example', names: ['a.example'] },
    { text: 'DNS:a.example, DNS:*.b.example', names: ['a.example', '*.b.example'] },
    { text: 'IP Address:192.0.2.1, IP Address:2001:DB8:0:0:0:0:0:1', names: ['192.0.2.1', '2001:db8::1'] },
    { text: 'URI:https://a.example/x, email:me@a.example, DNS:a.example, Registered ID:1.2.3', names: ['a.example'] },
    { text: 'DNS:"a.example, DNS:b.example", DNS:c.example', names: ['a.example, DNS:b.example', 'c.example'] },
    { text: 'DNS:"quoted \\" and \\\\ and \\u00fc", DNS:a.example', names: ['quoted " and \\ and ü', 'a.example'] },
    { text: 'URI:"https://a.example/, DNS:evil.example", DNS:a.example', names: ['a.example'] },
    { text: 'othername:<unsupported>, DirName:"CN=x, O=y", DNS:a.example', names: ['a.example'] },
  ];
  for (const { text, names } of cases) {
    it(`are ${JSON.stringify(names)} in ${JSON.stringify(text)}`, () => {
      expect(subjectNames(text)).to.deep.equal(names);
    });
  }
});
