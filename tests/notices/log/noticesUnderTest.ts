import type { WorkOutcome } from '../../../shared/jobs/steps/jobWork.js';
import { ListenerStore } from '../../../shared/notices/log/listenerStore.js';
import type { Notice } from '../../../shared/notices/log/notice.js';
import { ownerOfTenant, type NoticeOwner } from '../../../shared/notices/log/noticeOwner.js';
import { noticeKind, type FindNotices } from '../../../shared/notices/log/noticeKind.js';
import { NoticeLogStore } from '../../../shared/notices/log/noticeLogStore.js';
import { NOTICE, outboxOf } from '../../../shared/notices/log/outbox.js';
import { JobsInMemory, jobKeyUnderTest } from '../../support/jobsInMemory.js';
import { CountedRows } from './countedRows.js';

export const tenantOwner: NoticeOwner = ownerOfTenant(jobKeyUnderTest.tenant);
export const aNotice = (id: string, others: Partial<Notice> = {}): Notice => ({
  id,
  type: 'partner.job.succeeded',
  subject: '/v1/gdd/x',
  time: '2026-05-04T06:00:09.412Z',
  data: {},
  ...others,
});

const none: FindNotices = () => Promise.resolve({ entries: [] });

/** Jobs and the notices of their ends, over counted storage in memory. */
export class NoticesUnderTest {
  readonly work = new CountedRows();
  readonly webhookRows = new CountedRows();
  readonly noticeRows = new CountedRows();
  readonly jobs: JobsInMemory;
  readonly listeners: ListenerStore;
  readonly log: NoticeLogStore;
  /** Owners whose webhooks were woken, with the types. */
  readonly woken: (readonly [NoticeOwner, readonly string[]])[] = [];

  constructor(work: () => Promise<WorkOutcome> = () => Promise.resolve({ kind: 'done', insight: { insightId: 'i' } })) {
    this.jobs = new JobsInMemory(work, { rows: this.work });
    const { clock } = this.jobs;
    this.listeners = new ListenerStore(this.webhookRows, clock);
    this.log = new NoticeLogStore({ rows: this.noticeRows, clock, source: 'https://api.partner.example' });
    this.jobs.outbox = outboxOf({
      listens: (owner) => this.listeners.has(owner),
      work: this.jobs.kernel.enqueuer,
      clock,
    });
  }

  get kind() {
    return noticeKind(
      {
        log: this.log,
        origins: { enrollment: none, images: none, backfill: none },
        listens: (owner) => this.listeners.hasNow(owner),
        wake: (owner, types) => Promise.resolve(void this.woken.push([owner, types])),
        clock: this.jobs.clock,
        logLine: this.jobs.kernel.log,
      },
      60_000,
    );
  }

  /** Ids of open work that brings notices into a log. */
  async open(): Promise<readonly string[]> {
    return this.jobs.kernel.store.idsOf(NOTICE, '');
  }

  async relayAll(): Promise<void> {
    for (const id of await this.open()) await this.jobs.kernel.handle({ kind: NOTICE, id }, this.kind);
  }

  async told(owner: NoticeOwner = tenantOwner): Promise<readonly string[]> {
    return (await this.log.read(owner, 0, 1_000)).map(({ type, id }) => `${type} ${id}`);
  }
}
