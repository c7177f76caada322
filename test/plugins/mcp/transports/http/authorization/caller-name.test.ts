import { expect } from 'chai';
import { describe, it } from 'mocha';
import { callerIssuer, callerName, isCallerOf } from '../../../../../../plugins/mcp/transports/http/authorization/caller-name.ts';

describe('the name of a caller of an issuer', () => {
  it('is the issuer and the subject, as they are where nothing in them misleads', () => {
    expect(callerName('https://as.example', { subject: 'auth0|5f7c8ec7' })).to.equal('https://as.example:auth0|5f7c8ec7');
    expect(callerName('https://as.example/', { subject: 'ada@shop.example' })).to.equal('https://as.example/:ada@shop.example');
  });

  it('has one line of visible ASCII', () => {
    expect(callerName('https://as.example', { subject: 'Adà\n: 50%#🙂' })).to.equal(
      'https://as.example:Ad%C3%A0%0A%3A%2050%25%23%F0%9F%99%82',
    );
  });

  it('is another for each issuer, subject and client', () => {
    const issuers = [
      'https://as.example',
      'https://as.example:1',
      'https://as.example/',
      'https://as.example/:a',
      'https://as.example/a%3A',
    ];
    const names = ['a', '1:a', ':a', '1%3Aa', '%3Aa', 'client', '#a', '%23a', '/:a', 'a%', 'a%25', 'A', 'à', '%C3%A0', ' a', 'a '];
    const all = issuers.flatMap((issuer) =>
      names.flatMap((name) => [callerName(issuer, { subject: name }), callerName(issuer, { client: name })]),
    );
    expect(new Set(all).size).to.equal(issuers.length * names.length * 2);
  });

  it('is known from those of plain tokens and of other issuers', () => {
    const isCaller = isCallerOf(['https://as.example']);
    expect(['https://as.example:ada', 'https://as.example#machine'].filter(isCaller)).to.have.lengthOf(2);
    expect(['default', 'ada', 'https://as.example', 'https://as.example.evil:ada', 'https://as.exampl:ada'].filter(isCaller)).to.deep.equal(
      [],
    );
  });

  it('may be that of a person of one issuer alone', () => {
    const issuers = ['https://as.example', 'https://as.example:1', 'https://as.example/:a'].map(callerIssuer);
    const persons = ['a', ':a', '1:a', '#a', 'à'];
    for (const issuer of issuers)
      for (const person of persons) expect(issuers.filter((one) => one.mayBe(issuer.callerOf(person)))).to.deep.equal([issuer]);
    for (const caller of ['default', 'https://as.example', callerName('https://as.example', { client: 'robot' })])
      expect(issuers.some((one) => one.mayBe(caller))).to.equal(false);
  });
});
