import { expect } from 'chai';
import { staysInside } from '../../../../../tools/core/fs/trees/link-target.ts';

describe('the target of a link', () => {
  const inside = [
    ['x', 'link'],
    ['./x/y', 'link'],
    ['.', 'link'],
    ['../x', 'a/link'],
    ['..', 'a/link'],
    ['../..', 'a/b/link'],
    ['../../x/y', 'a/b/link'],
    ['...', 'link'],
    ['a//b/', 'link'],
  ];
  for (const [target = '', place = ''] of inside) {
    it(`${target} stays inside at ${place}`, () => {
      expect(staysInside(target, place)).to.equal(true);
    });
  }

  const outside = [
    ['', 'link'],
    ['..', 'link'],
    ['../x', 'link'],
    ['./../x', 'link'],
    ['../../x', 'a/link'],
    ['/x', 'link'],
    ['\\x', 'link'],
    ['C:x', 'link'],
    ['c:/x', 'link'],
    ['x/..', 'link'],
    ['x/../y', 'a/b/link'],
    ['../x/..', 'a/b/link'],
    ['..\\x', 'link'],
    ['x\\..\\y', 'a/link'],
  ];
  for (const [target = '', place = ''] of outside) {
    it(`"${target}" may lead outside at ${place}`, () => {
      expect(staysInside(target, place)).to.equal(false);
    });
  }
});
