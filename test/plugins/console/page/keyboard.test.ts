import { expect } from 'chai';
import { type Command, commandOf, type Key, type KeyTarget } from '../../../../plugins/console/page/keyboard.ts';

const pressed = (key: string, more: Partial<Key> = {}): Key => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  repeat: false,
  ...more,
});

describe('the keys of the inbox', () => {
  const cases: readonly (readonly [string, Key, KeyTarget | undefined, Command | undefined])[] = [
    ['j moves', pressed('j'), undefined, 'next'],
    ['a held-down j moves on', pressed('j', { repeat: true }), undefined, 'next'],
    ['a begins a yes', pressed('a'), { tagName: 'A' }, 'approve'],
    ['a held-down a begins nothing', pressed('a', { repeat: true }), undefined, undefined],
    ['Ctrl and a are the browser’s', pressed('a', { ctrlKey: true }), undefined, undefined],
    ['Shift and x select all', pressed('X'), undefined, 'select-all'],
    ['a letter in a field is text', pressed('a'), { tagName: 'INPUT', type: 'text' }, undefined],
    ['a letter in a text area is text', pressed('r'), { tagName: 'TEXTAREA' }, undefined],
    ['a letter in a choice is its own', pressed('r'), { tagName: 'SELECT' }, undefined],
    ['Escape leaves a field', pressed('Escape'), { tagName: 'INPUT', type: 'search' }, 'leave'],
    ['x on a checkbox selects', pressed('x'), { tagName: 'INPUT', type: 'checkbox' }, 'select'],
    ['Enter on a link follows the link', pressed('Enter'), { tagName: 'A' }, undefined],
    ['Enter on a button presses it', pressed('Enter'), { tagName: 'BUTTON' }, undefined],
    ['an unknown key does nothing', pressed('toString'), undefined, undefined],
  ];
  for (const [name, key, target, command] of cases)
    it(`say that ${name}`, () => {
      expect(commandOf(key, target)).to.equal(command);
    });
});
