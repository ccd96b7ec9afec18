{{- define "cairn.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "cairn.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* Not those of the pods of ingest, which a disruption budget counts. */ -}}
{{- define "cairn.warmUpSelector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}-warm-up
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "cairn.labels" -}}
{{ include "cairn.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "cairn.image" -}}
{{- $image := .root.Values.image -}}
{{- $tag := $image.tag | default .root.Chart.AppVersion -}}
{{- if $image.registry }}{{ $image.registry }}/{{ end }}{{ $image.repository }}-{{ .service }}:{{ $tag }}
{{- end }}

{{- /* One variable from the Secret. Each service gets only what it reads. */ -}}
{{- define "cairn.secretEnv" -}}
- name: {{ .name | default .key }}
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.existingSecret }}
      key: {{ .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end }}

{{- /* The port of clients, which only the gateway has. */ -}}
{{- define "cairn.port" -}}7480{{- end }}

{{- /* Health and metrics: for the kubelet and Prometheus, never for clients. */ -}}
{{- define "cairn.opsPort" -}}
{{- if eq . "gateway" }}7484{{ else if eq . "ingest" }}7481{{ else if eq . "search" }}7482{{ else }}7483{{ end }}
{{- end }}
