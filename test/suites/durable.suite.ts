import { describeProcesses } from './durable/processes.ts';
import { inFiles } from './durable/stores.ts';

describeProcesses(inFiles);
