import { describeProcesses } from './durable/processes.ts';
import { inPostgres } from './durable/stores.ts';

describeProcesses(inPostgres);
