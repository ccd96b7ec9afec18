{{- /* What the pods of services and of Jobs have in common. */ -}}

{{- define "cairn.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "cairn.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- /* The broker, the credentials and the own variables of a service. Takes root, service and env, as "cairn.workload". */ -}}
{{- define "cairn.serviceEnv" -}}
{{- $values := index .root.Values .service -}}
{{ include "cairn.secretEnv" (dict "root" .root "key" "NATS_URL") }}
{{- range $variable, $key := $values.credentials.files }}
- name: {{ $variable }}
  value: /etc/cairn/credentials/{{ $key }}
{{- end }}
{{- if hasKey $values.credentials.files "NATS_PASSWORD_FILE" }}
- name: NATS_USER
  value: {{ .service }}
{{- end }}
{{- with .env }}
{{ . }}
{{- end }}
{{- range $key, $value := $values.env }}
- name: {{ $key }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- /* Takes the block of a service in values. */ -}}
{{- define "cairn.mounts" -}}
- name: tmp
  mountPath: /tmp
- name: cache
  mountPath: /var/cache/cairn
{{- if .credentials.files }}
- name: credentials
  mountPath: /etc/cairn/credentials
  readOnly: true
{{- end }}
{{- end }}

{{- define "cairn.volumes" -}}
{{- $values := index .root.Values .service -}}
{{- if $values.credentials.files -}}
- name: credentials
  secret:
    secretName: {{ required (printf "%s.credentials.secret must be set together with %s.credentials.files" .service .service) $values.credentials.secret }}
    defaultMode: 0440
{{ end -}}
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
- name: cache
  emptyDir:
    sizeLimit: 1Gi
{{- end }}
