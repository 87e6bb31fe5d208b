import { describeBlobs } from '../storage/blobsSuite.js';
import { blobsOf } from './storage.js';

describeBlobs('in a container', blobsOf('weather-cache'), 'of two');
