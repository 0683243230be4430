// Detects faces with dlib's detector of frontal faces: five filters over histograms of oriented gradients.
//
// In C++ because dlib is a library of templates.

#include "obscura_detectors.h"

#include <dlib/array2d.h>
#include <dlib/image_processing/frontal_face_detector.h>

#include <algorithm>
#include <cstring>
#include <vector>

struct obscura_face_detector {
    dlib::frontal_face_detector detector = dlib::get_frontal_face_detector();
};

namespace {

/// The minimum confidence of a face. In portraits that were rotated, blurred and darkened, faces have a confidence of
/// 0.5 or more, and patterns on clothes have 0.21 or less.
constexpr double minimum_confidence = 0.3;

/// The angles in degrees of a face that one of the detector's filters finds. The order of dlib's filters is: front,
/// left-looking, right-looking, front rotated left, front rotated right.
struct Angles {
    double roll, yaw;
};

constexpr Angles angles_of_filters[] = {{0, 0}, {0, 315}, {0, 45}, {330, 0}, {30, 0}};

obscura_face face(const dlib::rect_detection &detection) {
    const auto &box = detection.rect;
    const auto filter = std::min<unsigned long>(detection.weight_index, std::size(angles_of_filters) - 1);
    return {
        double(box.left()), double(box.top()), double(box.width()), double(box.height()),
        angles_of_filters[filter].roll, angles_of_filters[filter].yaw,
    };
}

}  // namespace

obscura_face_detector *obscura_faces_create(void) {
    try {
        return new obscura_face_detector;
    } catch (...) {
        return nullptr;
    }
}

void obscura_faces_destroy(obscura_face_detector *detector) { delete detector; }

int obscura_faces_detect(
    obscura_face_detector *detector, const uint8_t *gray, int width, int height, ptrdiff_t stride, obscura_face *faces,
    int capacity) {
    try {
        dlib::array2d<unsigned char> image(height, width);
        for (int row = 0; row < height; row++) std::memcpy(&image[row][0], gray + row * stride, size_t(width));
        std::vector<dlib::rect_detection> detections;
        detector->detector(image, detections, minimum_confidence);
        std::sort(detections.begin(), detections.end(), [](const auto &a, const auto &b) {
            return std::make_pair(a.rect.top(), a.rect.left()) < std::make_pair(b.rect.top(), b.rect.left());
        });
        const int count = std::min(int(detections.size()), capacity);
        std::transform(detections.begin(), detections.begin() + count, faces, face);
        return count;
    } catch (...) {
        return -1;
    }
}
