import { Group, NativeSelect } from '@mantine/core';

export interface WalkSettings {
  readonly depth: number;
  readonly minConfidence: number;
}

const DEPTHS = [
  { value: '1', label: '1 hop' },
  { value: '2', label: '2 hops' },
  { value: '3', label: '3 hops' },
];

const CONFIDENCES = [
  { value: '0', label: 'any' },
  { value: '0.5', label: 'from 50 %' },
  { value: '0.7', label: 'from 70 %' },
  { value: '0.9', label: 'from 90 %' },
];

interface WalkControlsProps {
  readonly value: WalkSettings;
  readonly onChange: (value: WalkSettings) => void;
}

export const WalkControls = ({ value, onChange }: WalkControlsProps) => (
  <Group align="flex-end">
    <NativeSelect
      label="Depth"
      flex="0 1 9rem"
      value={String(value.depth)}
      data={DEPTHS}
      onChange={(event) => onChange({ ...value, depth: Number(event.currentTarget.value) })}
    />
    <NativeSelect
      label="Confidence"
      flex="0 1 9rem"
      value={String(value.minConfidence)}
      data={CONFIDENCES}
      onChange={(event) => onChange({ ...value, minConfidence: Number(event.currentTarget.value) })}
    />
  </Group>
);
