import { MemoryMessages } from '../support/memoryMessages.js';
import { describeMessages } from './messagesSuite.js';

describeMessages('in memory', () => Promise.resolve(new MemoryMessages()));
