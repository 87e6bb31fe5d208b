import type { JSX } from 'preact';

const shapes = {
  fields: 'M3.5 6.2 8.5 4v11.8l-5 2.2zM8.5 4l5 2.2V18l-5-2.2zM13.5 6.2l5-2.2v11.8l-5 2.2z',
  farms: 'M3.5 18.5v-8.2L11 4l7.5 6.3v8.2zM8.5 18.5v-5.5h5v5.5',
  degreeDays: 'M3.5 18.5h15M4.5 14.5c5 0 5-7 12-8M6.5 7.5h.01M10 5.5h.01',
  boundary: 'M5 6.5 12 3.8l6.2 3.4-1 10.3-7.7 1L4 15.6zM11 11h.01',
  enrollments: 'M4 5h14M4 11h14M4 17h9',
  search: 'M9.5 15.5a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM14 14l4.5 4.5',
  plus: 'M11 4.5v13M4.5 11h13',
  minus: 'M4.5 11h13',
  fit: 'M4 8V4h4M14 4h4v4M18 14v4h-4M8 18H4v-4',
  download: 'M11 3.5v10M6.8 9.5 11 13.7l4.2-4.2M4 18h14',
  left: 'M13 5l-6 6 6 6',
  right: 'M9 5l6 6-6 6',
  compare: 'M11 3.5v15M7.5 7.5 4 11l3.5 3.5M14.5 7.5 18 11l-3.5 3.5',
  moon: 'M17.5 12.8A7 7 0 1 1 9.2 4.5a5.5 5.5 0 0 0 8.3 8.3z',
  sun: 'M11 15a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 2.5v2M11 17.5v2M2.5 11h2M17.5 11h2M5 5l1.4 1.4M15.6 15.6 17 17M17 5l-1.4 1.4M6.4 15.6 5 17',
  check: 'M5 11.5l4 4 8-9',
  cross: 'M6 6l10 10M16 6 6 16',
  copy: 'M8 8h10v10H8zM14 8V4H4v10h4',
  out: 'M9 4H4.5v14H9M9.5 11H18M14.5 7.5 18 11l-3.5 3.5',
  sliders: 'M3.5 7h8M15.5 7h3M13.5 9.5v-5M3.5 15h3M10.5 15h8M8.5 17.5v-5',
  pencil: 'M4 18l.8-3.8L14.5 4.5l3 3-9.7 9.7zM12.5 6.5l3 3',
  target: 'M11 2.5v4M11 15.5v4M2.5 11h4M15.5 11h4M11 14.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
  notices: 'M11 3.5a5 5 0 0 0-5 5c0 4.6-1.8 5.7-2 6.5h14c-.2-.8-2-1.9-2-6.5a5 5 0 0 0-5-5zM9.2 18a1.9 1.9 0 0 0 3.6 0',
  play: 'M7 4.5v13l10-6.5z',
  pause: 'M7.5 4.5v13M14.5 4.5v13',
  warning: 'M11 4 2.8 18h16.4zM11 9.5v4M11 15.8h.01',
} as const;

export type IconName = keyof typeof shapes;

/** A drawing beside a word; it says nothing to screen readers. */
export const Icon = ({ name }: { readonly name: IconName }): JSX.Element => (
  <svg class="icon" viewBox="0 0 22 22" width="20" height="20" aria-hidden="true" focusable="false">
    <path d={shapes[name]} />
  </svg>
);
