import { describeProcesses } from './durable/processes.ts';

describeProcesses('engine-bullmq');
