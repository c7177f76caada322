import { changeNothing } from './attack.ts';
import { edited, moved } from './stored.ts';

describe('approvals: runs nothing, and is recorded:', () => {
  describe('an edited record:', () => changeNothing(edited));
  describe('a record in another place:', () => changeNothing(moved));
});
