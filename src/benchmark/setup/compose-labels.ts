/** Of containers that Docker Compose started (Compose's api/labels.go). */
export const PROJECT_LABEL = 'com.docker.compose.project';
export const SERVICE_LABEL = 'com.docker.compose.service';
export const FILES_LABEL = 'com.docker.compose.project.config_files';
export const FOLDER_LABEL = 'com.docker.compose.project.working_dir';
