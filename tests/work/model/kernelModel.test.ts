import { describe, expect, test } from '@jest/globals';
import type { WorkItem } from '../../../shared/work/item/workItem.js';
import { describeInFull } from '../../support/fullRun.js';
import { explore, type Model, type Walk } from './explore.js';
import { realKernel, type Kernel } from './itemRow.js';
import { jobModel, jobShell, realJob, type JobFaults, type JobKernel, type JobShell } from './jobModel.js';
import { laneModel, laneShell, realLane, type LaneFaults, type LaneKernel, type LaneShell } from './laneModel.js';
import { unitModel, unitShell, type UnitFaults, type UnitShell } from './unitModel.js';

/** What is different where a protection is missing, and the faults under which that is found. */
interface Missing<Functions, Shell, Faults> {
  readonly without: string;
  readonly kernel?: Partial<Functions>;
  readonly shell?: Partial<Shell>;
  readonly under?: Partial<Faults>;
  /** The rule that breaks. */
  readonly found: string;
}

const none = { crash: 0, lost: 0, slow: 0, dropped: 0, fails: 0 };

/** What a walk found, with the steps that lead there, as a text that a failing test prints. */
const reportOf = ({ found, trace }: Walk): string =>
  found === undefined ? 'no rule is broken' : [found, ...trace].join('\n  ');

function expectSound<State>(model: Model<State>): void {
  const walk = explore(model);
  expect(reportOf(walk)).toBe('no rule is broken');
  expect(walk.goodEnds).toBeGreaterThan(0);
}

const NO_GOOD_END = 'no good end can be reached';
const TWO_HOLDERS = 'two valid holders at once';

const jobOf = (
  faults: Partial<JobFaults>,
  { kernel, shell }: { kernel?: Partial<JobKernel>; shell?: Partial<JobShell> },
) => jobModel({ ...realJob, ...kernel }, { ...jobShell, ...shell }, { ...none, ...faults });
const unitOf = (
  faults: Partial<UnitFaults>,
  { kernel, shell }: { kernel?: Partial<Kernel>; shell?: Partial<UnitShell> },
) => unitModel({ ...realKernel, ...kernel }, { ...unitShell, ...shell }, { ...none, ...faults });
const laneOf = (
  faults: Partial<LaneFaults>,
  { kernel, shell }: { kernel?: Partial<LaneKernel>; shell?: Partial<LaneShell> },
) => laneModel({ ...realLane, ...kernel }, { ...laneShell, ...shell }, { crash: 0, dropped: 0, ...faults });

const isClaimableAlways = { isClaimable: () => true };
const lostIsHeld: Partial<Kernel> = {
  fateOf: (item, holding) => {
    const fate = realKernel.fateOf(item, holding);
    return fate === 'lost' ? 'held' : fate;
  },
};
const LEFT_BEHIND = 'a cancelled job left its insight behind';
const SHOWS_ANOTHER = 'the job SUCCEEDED and shows what another attempt made';

describe('a job: create, claim, renew, publish, end, cancel', () => {
  test.each<Partial<JobFaults>>([{ crash: 1 }, { lost: 1 }, { slow: 1 }, { dropped: 1 }, { fails: 1 }])(
    'as designed under %j: no rule is broken, a good end can always be reached',
    (faults) => {
      expectSound(jobOf(faults, {}));
    },
  );

  const missing: Missing<JobKernel, JobShell, JobFaults>[] = [
    { without: 'the sweep', shell: { sweeps: false }, found: NO_GOOD_END },
    { without: 'the fence of the effect', shell: { fencesEffect: false }, under: { slow: 1 }, found: SHOWS_ANOTHER },
    {
      without: 'the fence of the effect, where nobody cancels',
      shell: { fencesEffect: false, cancels: false },
      under: { slow: 1 },
      found: SHOWS_ANOTHER,
    },
    {
      without: 'the fence of the effect and the hold before it',
      shell: { fencesEffect: false, holdsBeforeEffect: false },
      under: { slow: 1 },
      found: SHOWS_ANOTHER,
    },
    {
      without: 'epochs that grow with each claim',
      kernel: { claimed: (item, by) => ({ ...realKernel.claimed(item, by), epoch: item.epoch }) },
      found: LEFT_BEHIND,
    },
    {
      without: 'epochs that grow whatever the clock says',
      kernel: { claimed: (item, by) => ({ ...realKernel.claimed(item, by), epoch: Math.max(item.epoch, by.now) }) },
      found: LEFT_BEHIND,
    },
    { without: 'the ETag of the job at the end', shell: { endsByEtag: false }, found: 'an ended job was ended again' },
    { without: 'the look at the lease before a claim', kernel: isClaimableAlways, found: TWO_HOLDERS },
    { without: 'the ETags of a claim', shell: { claimsByEtag: false }, found: TWO_HOLDERS },
    {
      without: 'the end of an attempt whose item another has claimed',
      kernel: lostIsHeld,
      under: { slow: 1 },
      found: TWO_HOLDERS,
    },
    {
      without: 'the reading back of a refused insert',
      shell: { readsBack: false },
      under: { lost: 1 },
      found: 'the only create was answered 409',
    },
    {
      without: 'one transaction for the ends of job and item',
      shell: { endsInOneTransaction: false, cancels: false },
      under: { crash: 1 },
      found: NO_GOOD_END,
    },
    {
      without: 'one transaction for the inserts of job and item',
      shell: { createsInOneTransaction: false, cancels: false },
      under: { crash: 1 },
      found: NO_GOOD_END,
    },
    { without: 'the undo that a cancel leaves', kernel: { leavesInsight: () => false }, found: LEFT_BEHIND },
    {
      without: 'the wait of an item that was taken over for the lease of its attempt',
      kernel: { takenOver: (item, to, now) => realKernel.takenOver({ ...item, notBefore: now }, to, now) },
      found: TWO_HOLDERS,
    },
    {
      without: 'the tombstone of an effect',
      shell: { leavesTombstone: false },
      under: { slow: 1 },
      found: LEFT_BEHIND,
    },
    {
      without: 'epochs that go on behind a cancel',
      kernel: { takenOver: (item, to, now) => realKernel.takenOver(item, { ...to, epoch: 0 }, now) },
      under: { slow: 1 },
      found: LEFT_BEHIND,
    },
  ];
  test.each(missing)('without $without: found', ({ kernel = {}, shell = {}, under = {}, found }) => {
    expect(explore(jobOf(under, { kernel, shell })).found).toBe(found);
  });
});

/** An ask that takes the claim away. */
function askedAnew(item: WorkItem, now: number): WorkItem {
  const { claim: _claim, ...rest } = realKernel.asked(item, now);
  return rest;
}

const LOST_ASK = 'an ask was lost';

describe('a unit: ask, do, finish at the count of asks that was read', () => {
  test.each<Partial<UnitFaults>>([{ crash: 1 }, { lost: 1 }, { slow: 1 }, { dropped: 1 }, { fails: 1 }])(
    'as designed under %j: no rule is broken, a good end can always be reached',
    (faults) => {
      expectSound(unitOf(faults, {}));
    },
  );

  const missing: Missing<Kernel, UnitShell, UnitFaults>[] = [
    { without: 'the sweep', shell: { sweeps: false }, under: { crash: 1 }, found: NO_GOOD_END },
    { without: 'the ETag of the row at the end', shell: { endsByEtag: false }, found: LOST_ASK },
    {
      without: 'the comparison at the end of the asks that a renewal met with those of the facts',
      shell: { comparesAsks: false },
      found: LOST_ASK,
    },
    { without: 'the claim before the facts', shell: { readsFactsAfterClaim: false }, found: LOST_ASK },
    { without: 'the fact before the ask', shell: { storesFactBeforeAsk: false }, found: LOST_ASK },
    { without: 'the ETag of an ask', shell: { asksByEtag: false }, found: TWO_HOLDERS },
    {
      without: 'the count of asks taken with the facts, and not from a renewal',
      shell: { keepsAsksOfFacts: false },
      found: LOST_ASK,
    },
    {
      without: 'the claim that an ask leaves alone',
      kernel: { asked: askedAnew, ...isClaimableAlways },
      found: TWO_HOLDERS,
    },
    { without: 'the look at the lease before a claim', kernel: isClaimableAlways, found: TWO_HOLDERS },
    {
      without: 'the ask of an item that is held',
      kernel: { asked: (item, now) => (item.claim === undefined ? realKernel.asked(item, now) : item) },
      found: LOST_ASK,
    },
    {
      without: 'asks that are counted',
      kernel: { asked: (item, now) => ({ ...realKernel.asked(item, now), asks: item.asks }) },
      found: LOST_ASK,
    },
    {
      without: 'the end of an attempt whose item another has claimed',
      kernel: lostIsHeld,
      under: { slow: 1 },
      found: TWO_HOLDERS,
    },
    {
      without: "the others' asks in what a holder writes again",
      kernel: { merged: (own) => own },
      found: LOST_ASK,
    },
    {
      without: 'the asker that begins again',
      shell: { diedAskerBeginsAgain: false },
      under: { crash: 1 },
      found: LOST_ASK,
    },
    { without: 'the new item for an ask whose row is gone', shell: { asksAnewWhenGone: false }, found: LOST_ASK },
  ];
  test.each(missing)('without $without: found', ({ kernel = {}, shell = {}, under = {}, found }) => {
    expect(explore(unitOf(under, { kernel, shell })).found).toBe(found);
  });
});

describe('a lane: ticket, slot, leave', () => {
  test.each<Partial<LaneFaults>>([{ crash: 1 }, { dropped: 1 }])(
    'as designed under %j: no rule is broken, a good end can always be reached',
    (faults) => {
      expectSound(laneOf(faults, {}));
    },
  );

  const missing: Missing<LaneKernel, LaneShell, LaneFaults>[] = [
    { without: 'the sweep', shell: { sweeps: false }, under: { crash: 1 }, found: NO_GOOD_END },
    {
      without: 'the look at parked jobs whose ticket was not left',
      shell: { looksAtParked: false },
      under: { crash: 1 },
      found: NO_GOOD_END,
    },
    {
      without: 'the message of the sweep for one that was lost',
      shell: { sweepSends: false },
      under: { dropped: 1 },
      found: NO_GOOD_END,
    },
    {
      without: 'the ETag of the lane',
      shell: { changesByEtag: false },
      under: { dropped: 1 },
      found: 'two work in one slot',
    },
    { without: 'the end before the slot is left', shell: { endsBeforeLeaving: false }, found: 'two work in one slot' },
    {
      without: 'the limit of slots',
      kernel: {
        advanced: (before, tickets, change) =>
          realLane.advanced(before, tickets, { ...change, slots: change.slots + 1 }),
      },
      found: 'more hold than there are slots',
    },
    {
      without: 'the leaving of who has ended',
      kernel: {
        advanced: (before, tickets, change) => realLane.advanced(before, tickets, { ...change, gone: new Set() }),
      },
      found: NO_GOOD_END,
    },
  ];
  test.each(missing)('without $without: found', ({ kernel = {}, shell = {}, under = {}, found }) => {
    expect(explore(laneOf(under, { kernel, shell })).found).toBe(found);
  });
});

describeInFull('as designed under faults that come together: no rule is broken', () => {
  // All pairs of faults, and some three.
  const jobFaults: Partial<JobFaults>[] = [
    { crash: 1, slow: 1, dropped: 1 },
    { lost: 1, slow: 2 },
    { crash: 2 },
    { lost: 1, dropped: 1, fails: 1 },
    { crash: 1, lost: 1 },
    { crash: 1, fails: 1 },
    { slow: 1, fails: 1 },
  ];
  const unitFaults: Partial<UnitFaults>[] = [
    { crash: 1, slow: 1 },
    { lost: 1, slow: 1 },
    { slow: 1, dropped: 1 },
    { crash: 1, dropped: 1 },
    { crash: 1, lost: 1 },
    { slow: 1, fails: 1 },
    { crash: 1, fails: 1 },
    { lost: 1, dropped: 1 },
    { lost: 1, fails: 1 },
    { dropped: 1, fails: 1 },
    { slow: 2 },
  ];
  const laneFaults: Partial<LaneFaults>[] = [{ crash: 2 }, { crash: 1, dropped: 1 }, { dropped: 2 }];
  test.each(jobFaults)('a job under %j', (faults) => {
    expectSound(jobOf(faults, {}));
  });
  test.each(unitFaults)('a unit under %j', (faults) => {
    expectSound(unitOf(faults, {}));
  });
  test.each(laneFaults)('a lane under %j', (faults) => {
    expectSound(laneOf(faults, {}));
  });
});
