import { expect } from 'chai';
import { stemmer } from 'stemmer';
import {
  descriptionTerms,
  exactDescriptionTerms,
  kindOfTerm,
  namedTerms,
  pairOfStems,
  queryTerms,
  readWords,
  type Word,
} from '../../../../plugins/shared/search/terms.ts';

const words = (text: string): readonly Word[] => readWords(text, stemmer);

describe('the terms of a text', () => {
  it('are, of a description, the stems of words that say something', () => {
    expect(descriptionTerms(words('It lists the orders of a customer'))).to.deep.equal(['list', 'order', 'custom']);
  });

  it('are, of a name, the same of all its words, small ones too', () => {
    expect(namedTerms(words('get_orders'))).to.deep.equal([
      ...['get', 'order', '=get', '=orders'],
      ...['~^get', '~get$', '~^ord', '~orde', '~rder', '~der$'],
    ]);
  });

  it('are, of a question, stems, words as written, pairs with a small word, and pieces', () => {
    const terms = queryTerms(words('How many big orders'), pairOfStems);
    const ofKind = (wanted: string): string[] => terms.filter((term) => kindOfTerm(term) === wanted);
    expect(ofKind('word')).to.deep.equal(['how', 'mani', 'big', 'order']);
    expect(ofKind('written')).to.deep.equal(['=how', '=many', '=big', '=orders']);
    expect(ofKind('pair')).to.deep.equal(['how mani']);
    expect(ofKind('piece')).to.include.members(['~^ord', '~orde', '~rder', '~der$']).and.not.include('~^how');
  });

  it('are, of a description without intents, its telling words as written, and their pieces', () => {
    expect(exactDescriptionTerms(words('Lists the big orders'))).to.deep.equal([
      ...['=lists', '=big', '=orders'],
      ...['~^lis', '~list', '~ist$', '~^big', '~big$', '~^ord', '~orde', '~rder', '~der$'],
    ]);
  });

  it('are no longer than forty letters', () => {
    const terms = queryTerms(words('x'.repeat(10_000)), pairOfStems);
    expect(Math.max(...terms.map(({ length }) => length))).to.equal(41);
  });
});
