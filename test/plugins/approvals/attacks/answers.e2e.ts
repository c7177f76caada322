import { overMcp } from './asked.ts';
import { changeNothing } from './attack.ts';
import { changed } from './changed.ts';
import { foreign } from './foreign.ts';
import { forged } from './forged.ts';
import { ofModel } from './model.ts';
import { own } from './own.ts';
import { late, repeated } from './repeated.ts';

describe('approvals: changes nothing, and is recorded:', () => {
  describe('a forged answer:', () => changeNothing(forged));
  describe('a repeated answer:', () => changeNothing(repeated));
  describe('an answer that comes too late:', () => changeNothing(late));
  describe('an answer to another question:', () => changeNothing(foreign));
  describe('something else than what was approved:', () => changeNothing(changed));
  describe('an approval of oneself:', () => changeNothing(own));
  describe('an approval by the model:', () => changeNothing(ofModel));
  describe('an answer over MCP:', () => changeNothing(overMcp));
});
