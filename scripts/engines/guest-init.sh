#!/bin/bash
# Process 1 of the virtual machine: mounts, network, SSH server, Docker.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /tmp
mount -t cgroup2 cgroup2 /sys/fs/cgroup
hostname lima-rig
ip link set lo up
ip address add 172.31.89.2/24 dev vec0
ip link set vec0 up
read -r line </proc/cmdline
share=${line##*share=}
share=${share%% *}
modprobe -a 9p 9pnet_fd

# share FOLDER OPTIONS: a folder of the host under its own path; without it, the machine ends
share() {
  mkdir -p "$1"
  mount -t 9p -o "trans=tcp,port=5640,version=9p2000.L,uname=root,cache=mmap,aname=$1,$2" 172.31.89.1 "$1" || exit
}
share "$share" access=client
share "${share%/share}/changed" access=any
share "${share%/share}/read-only" access=client

mkdir -p /run/sshd
/usr/sbin/sshd
# As docker.service has it: the kernel ends a container before the engine.
(echo -500 >/proc/self/oom_score_adj && exec dockerd) &
# Bash clears away processes whose parent has ended.
while :; do
  sleep 3600 &
  wait $!
done
